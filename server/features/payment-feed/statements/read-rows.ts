import { parse } from 'csv-parse/sync';
import { readXls } from 'hucre';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import type { Cell } from './cell-values.ts';
import { StatementRefusal, statementLimits } from './statement-limits.ts';

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
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  try {
    if (start.startsWith('PK\x03\x04')) await readXlsxRows(bytes, takeCounted);
    else if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') await readXlsRows(bytes, takeCounted);
    else readTextRows(bytes, takeCounted);
  } catch (error) {
    // What hucre, zlib and the CSV's parser throw of a file that is damaged.
    throw error instanceof StatementRefusal || error === own ? error : new StatementRefusal('unreadable', error);
  }
}

async function readXlsxRows(bytes: Uint8Array, take: (row: SheetRow) => void): Promise<void> {
  let sheets = 0;
  const count = (_: unknown, index: number) => {
    sheets = index + 1;
    return false;
  };
  await readXlsx(bytes, { sheets: count });
  for (let sheet = 0; sheet < sheets; sheet += 1)
    for await (const { index, values } of streamXlsxRows(bytes, { sheet }))
      take({ sheet: sheet + 1, row: index + 1, cells: values });
}

async function readXlsRows(bytes: Uint8Array, take: (row: SheetRow) => void): Promise<void> {
  const { sheets } = await readXls(bytes);
  for (const [sheet, { rows }] of sheets.entries())
    for (const [row, cells] of rows.entries()) if (cells) take({ sheet: sheet + 1, row: row + 1, cells });
}

function readTextRows(bytes: Uint8Array, take: (row: SheetRow) => void): void {
  const text = decode(bytes);
  const start = text.slice(0, 65_536);
  const countOf = (sign: string) => start.split(sign).length;
  let row = 0;
  parse(text, {
    delimiter: [';', ',', '\t'].toSorted((one, other) => countOf(other) - countOf(one))[0],
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record: (cells: string[]) => {
      row += 1;
      take({ sheet: 1, row, cells });
      return null;
    },
  });
}

/** Without a byte order mark. Excel of this region writes CSV in windows-1252. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
