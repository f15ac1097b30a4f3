import { CsvError, parse } from 'csv-parse/sync';
import { unguardCell } from '#server/http/formula-guard.ts';
import { catalogueLimits } from '#server/process/limits.ts';
import { type FileColumn, fileColumns } from './file-cells.ts';
import { importSentences } from './import-sentences.ts';

/** A line of the file that says something; `line` is where it begins, the first of the file being 1. */
export interface FileRow {
  line: number;
  /** By the columns that the file has; a line that ends early has empty cells. */
  cells: ReadonlyMap<FileColumn, string>;
}

export interface FileError {
  line: number;
  column: string | null;
  message: string;
}

interface CsvRecord {
  line: number;
  cells: string[];
}

/** Reads a CSV file with `;`, `,` or tabs between its cells. With an error there are no rows. */
export function readCatalogueFile(csv: string): { rows: FileRow[]; errors: FileError[] } {
  const { records, error } = readRecords(csv);
  if (error) return { rows: [], errors: [error] };
  const [header, ...lines] = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (!header) return refused(1, importSentences.empty);
  const tooMany = lines[catalogueLimits.importedLines];
  if (tooMany) return refused(tooMany.line, importSentences.tooManyLines);
  const columns = header.cells.map((cell) => cell.trim());
  const errors = [
    ...columns.flatMap((column, index) => problemOf(column, columns.slice(0, index), header.line)),
    ...lines
      .filter(({ cells }) => cells.some((cell, index) => cell.trim() !== '' && !columns[index]))
      .map(({ line }) => ({ line, column: null, message: importSentences.tooManyCells })),
  ];
  if (errors.length > 0) return { rows: [], errors };
  const rows = lines.map(({ line, cells }) => {
    const known = columns.map((column, index) => [column, unguardCell(cells[index] ?? '')] as [FileColumn, string]);
    return { line, cells: new Map(known.filter(([column]) => column !== ('' as string))) };
  });
  return { rows, errors };
}

const refused = (line: number, message: string) => ({ rows: [], errors: [{ line, column: null, message }] });

function problemOf(column: string, before: string[], line: number): FileError[] {
  if (column === '') return [];
  if (before.includes(column)) return [{ line, column, message: importSentences.columnTwice(column) }];
  if ((fileColumns as readonly string[]).includes(column)) return [];
  return [{ line, column, message: importSentences.unknownColumn(column) }];
}

/** The records of a CSV file, empty ones included; those before it, where one cannot be read. */
function readRecords(csv: string): { records: CsvRecord[]; error?: FileError } {
  const records: CsvRecord[] = [];
  let line = 1;
  const keep = (cells: string[]) => {
    records.push({ line, cells });
    // csv-parse counts lines too, but CR LF inside a cell twice.
    line += 1 + (cells.join().match(/\r\n|\r|\n/g)?.length ?? 0);
    return null;
  };
  try {
    parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: keep,
    });
    return { records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { unclosedQuote, misplacedQuote } = importSentences;
    const message = error.code === 'CSV_QUOTE_NOT_CLOSED' ? unclosedQuote : misplacedQuote;
    return { records, error: { line, column: null, message } };
  }
}

/** What stands most often between the names of the header, none of which holds any of the three. */
function delimiterOf(csv: string): string {
  const header = /[^\s\ufeff][^\r\n]*/.exec(csv)?.[0] ?? '';
  const counts = [';', ',', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
}
