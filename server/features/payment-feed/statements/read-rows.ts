import { CsvError, parse } from 'csv-parse/sync';
import { readXls } from 'hucre';
import { streamXlsxRows } from 'hucre/xlsx';
import type { Cell } from './cell-values.ts';
import { checkArchive } from './check-archive.ts';
import { statementLimits } from './statement-limits.ts';
import { StatementRefusal } from './statement-refusal.ts';

/** A row of a table; sheets and rows count from 1, as a spreadsheet shows them. */
export interface SheetRow {
  sheet: number;
  row: number;
  cells: readonly Cell[];
}

/**
 * Hands over each row of an Excel file (.xlsx or .xls) or of a text with `,`, `;` or tabs between its cells, which it tells
 * apart by their bytes. Cells of a formula have the value that the file has. Throws StatementRefusal.
 */
export async function readRows(bytes: Uint8Array, take: (row: SheetRow) => void): Promise<void> {
  const seen = { rows: 0, cells: 0 };
  const count = (row: SheetRow) => {
    seen.rows += 1;
    seen.cells += row.cells.length;
    if (seen.rows > statementLimits.rows || seen.cells > statementLimits.cells) throw new StatementRefusal('too-large');
    take(row);
  };
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (start.startsWith('PK\x03\x04')) for await (const row of refusing(xlsxRows(bytes))) count(row);
  else if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') for await (const row of refusing(xlsRows(bytes))) count(row);
  else readTextRows(bytes, count);
}

/** What hucre and zlib throw of a file that is damaged; what the caller throws passes by. */
async function* refusing(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow> {
  try {
    yield* rows;
  } catch (error) {
    throw error instanceof StatementRefusal ? error : new StatementRefusal('unreadable', error);
  }
}

async function* xlsxRows(bytes: Uint8Array): AsyncGenerator<SheetRow> {
  const sheets = await checkArchive(bytes);
  for (let sheet = 0; sheet < sheets; sheet += 1)
    for await (const { index, values } of streamXlsxRows(bytes, { sheet }))
      yield { sheet: sheet + 1, row: index + 1, cells: values };
}

async function* xlsRows(bytes: Uint8Array): AsyncGenerator<SheetRow> {
  const { sheets } = await readXls(bytes);
  for (const [sheet, { rows }] of sheets.entries())
    for (const [row, cells] of rows.entries()) if (cells) yield { sheet: sheet + 1, row: row + 1, cells };
}

function readTextRows(bytes: Uint8Array, take: (row: SheetRow) => void): void {
  const text = decode(bytes);
  const delimiter = delimiterOf(text);
  // All of them could be in one row, which the parser takes whole.
  if (countOf(text, delimiter) > statementLimits.cells) throw new StatementRefusal('too-large');
  let row = 0;
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: (cells: string[]) => {
        row += 1;
        take({ sheet: 1, row, cells });
        return null;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? new StatementRefusal('unreadable', error) : error;
  }
}

/** Without a byte order mark. Excel of this region writes CSV in windows-1252. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function delimiterOf(text: string): string {
  const start = text.slice(0, 65_536);
  return [';', ',', '\t'].toSorted((one, other) => countOf(start, other) - countOf(start, one))[0] ?? ',';
}

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}
