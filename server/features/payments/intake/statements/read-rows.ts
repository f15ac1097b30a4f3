import { fromHtml, readXls } from 'hucre';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { decodeBody } from '#server/features/payments/intake/forwarded.ts';
import type { Cell } from './cell-values.ts';
import { readTextRows } from './read-text-rows.ts';
import { StatementRefusal, statementLimits } from './statement-limits.ts';

/** A row of a table; sheets and rows count from 1, as a spreadsheet shows them. */
export interface SheetRow {
  sheet: number;
  row: number;
  cells: readonly Cell[];
  /** Why it has no cells, in French. */
  fault?: string;
}

type TakeRow = (row: SheetRow) => void;

/**
 * Passes on each row of a file: Excel (.xlsx or .xls), an HTML page with a table, or a text with `,`, `;` or tabs between cells. The
 * bytes decide the form. Formula cells have their stored value. Throws StatementRefusal.
 */
export async function readRows(bytes: Uint8Array, take: TakeRow): Promise<void> {
  let count = 0;
  let own: unknown;
  const takeCounted = (row: SheetRow) => {
    count += 1;
    if (count > statementLimits.rows) throw new StatementRefusal('too-large');
    try {
      take(row);
    } catch (error) {
      own = error;
      throw error;
    }
  };
  try {
    await readerOf(bytes)(bytes, takeCounted);
  } catch (error) {
    if (error instanceof StatementRefusal || error === own) throw error;
    // hucre, zlib and the CSV parser throw other errors for a damaged file.
    throw new StatementRefusal('unreadable', { cause: error });
  }
}

/** The reader for a file's form. Throws StatementRefusal for an unsupported form. */
function readerOf(bytes: Uint8Array): (bytes: Uint8Array, take: TakeRow) => Promise<void> | void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.subarray(0, 8).toString('latin1');
  if (start.startsWith('%PDF')) throw new StatementRefusal('pdf');
  if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') {
    // An .xlsx with a password has this form too.
    if (file.includes('EncryptedPackage', 0, 'utf16le')) throw new StatementRefusal('protected');
    return readXlsRows;
  }
  if (start.startsWith('PK\x03\x04')) {
    if (file.includes('[Content_Types].xml')) return readXlsxRows;
    throw new StatementRefusal(file.includes('application/vnd.oasis.opendocument') ? 'opendocument' : 'archive');
  }
  const text = decode(bytes);
  const isMarkup = /^\s*</.test(text);
  if (isMarkup && text.includes('urn:schemas-microsoft-com:office:spreadsheet')) throw new StatementRefusal('xml');
  return isMarkup ? (_, take) => readPageRows(text, take) : (_, take) => readTextRows(text, take);
}

async function readXlsxRows(bytes: Uint8Array, take: TakeRow): Promise<void> {
  if (unpackedBytes(bytes) > statementLimits.unpackedBytes) throw new StatementRefusal('too-large');
  let sheets = 0;
  const count = (_: unknown, index: number) => {
    sheets = index + 1;
    return false;
  };
  await readXlsx(bytes, { sheets: count });
  if (sheets > statementLimits.sheets) throw new StatementRefusal('too-many-sheets');
  for (let sheet = 0; sheet < sheets; sheet += 1)
    for await (const { index, values } of streamXlsxRows(bytes, { sheet }))
      take({ sheet: sheet + 1, row: index + 1, cells: values });
}

/** The unpacked bytes of an archive by its directory, which hucre never exceeds (PKWARE's APPNOTE, 4.3.12). */
function unpackedBytes(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = 0;
  for (let at = file.indexOf(entryMark); at >= 0 && at + 28 <= file.length; at = file.indexOf(entryMark, at + 4))
    sum += file.readUInt32LE(at + 24);
  return sum;
}
const entryMark = 'PK\x01\x02';

async function readXlsRows(bytes: Uint8Array, take: TakeRow): Promise<void> {
  const { sheets } = await readXls(bytes).catch((error: unknown) => {
    throw new StatementRefusal('xls', { cause: error });
  });
  for (const [sheet, { rows }] of sheets.entries())
    for (const [row, cells] of rows.entries()) if (cells) take({ sheet: sheet + 1, row: row + 1, cells });
}

/** Throws a refusal unless every row is found: hucre silently stops at a truncated page, and skips nested tables. */
function readPageRows(page: string, take: TakeRow): void {
  const { rows } = fromHtml(page, { typeInference: false, classes: false });
  const isWhole = /<\/table\s*>/i.test(page) && rows.length === page.match(/<tr[\s>]/gi)?.length;
  if (!isWhole) throw new StatementRefusal('page');
  for (const [row, cells] of rows.entries()) take({ sheet: 1, row: row + 1, cells });
}

/** Decodes a text and drops its byte order mark. Excel writes Unicode text in UTF-16. */
function decode(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark === 'fffe' || mark === 'feff')
    return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be').decode(bytes);
  return decodeBody(bytes);
}
