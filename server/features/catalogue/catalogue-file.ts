import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { Failure, failureCatalogue } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { guardCell, unguardCell } from '#server/http/formula-guard.ts';
import { catalogueLimits } from '#server/process/limits.ts';
import { type CataloguedService, listAllServices } from './store.ts';

const number = new Intl.NumberFormat('fr');

/** What an import says of a line that it refuses; the contract's and the catalogue's own sentences stand elsewhere. */
export const importSentences = {
  empty: 'Le fichier est vide.',
  unknownColumn: (name: string) => `La colonne « ${name} » n'existe pas.`,
  columnTwice: (name: string) => `La colonne « ${name} » est là deux fois.`,
  tooManyLines: `Le fichier a plus de ${number.format(catalogueLimits.importedLines)} lignes.`,
  tooManyCells: "Cette ligne a plus de cases que l'en-tête.",
  unclosedQuote: "Un guillemet ouvert sur cette ligne n'est jamais fermé.",
  misplacedQuote: 'Un guillemet est mal placé : doublez-le, et mettez toute la case entre guillemets.',
  cannotBeEmpty: 'Cette case ne peut pas être vide.',
  notYesOrNo: 'Écrivez oui ou non.',
  notANumber: 'Écrivez un nombre.',
  notRanges: 'Écrivez les tranches ainsi : 1-5000:100 | 5001-20000:1,5% | 20001-:2%',
  notAnId: "Écrivez l'identifiant d'un service, ou @ et un mot pour un nouveau service.",
  idTwice: (line: number) => `La ligne ${line} a déjà cet identifiant.`,
  unknownService: failureCatalogue.SERVICE_NOT_FOUND[1],
  unknownKey: (key: string) => `Aucune ligne n'a l'identifiant ${key}.`,
  parentRefused: (line: number) => `Le service parent est refusé, à la ligne ${line}.`,
  moreErrors: (count: number) => `Et ${number.format(count)} autres erreurs.`,
} as const;

/** How a field of a service stands in a cell of the file. */
interface Format {
  /** The text, or a number as a spreadsheet reads it. */
  write(service: CataloguedService): string | number;
  /** What the contract's schema then checks. Throws INVALID. */
  read(cell: string): unknown;
  /** An empty cell says something, and is not merely left out. */
  mayBeEmpty?: true;
}

/** The columns of the catalogue's file that hold a field, each named for it. */
const fieldFormats = {
  name: text('name'),
  description: text('description'),
  price: text('price'),
  isFinalLevel: yesOrNo('isFinalLevel'),
  isVisible: yesOrNo('isVisible'),
  allowUserPriceInput: yesOrNo('allowUserPriceInput'),
  commissionType: word('commissionType'),
  commissionValue: { write: (service) => writeDecimal(service.commissionValue), read: readNumber },
  commissionRanges: { write: writeRanges, read: readRanges, mayBeEmpty: true },
  textSize: word('textSize'),
  textColor: word('textColor'),
  textStyle: word('textStyle'),
  phoneNumber: text('phoneNumber'),
  sortOrder: { write: (service) => service.sortOrder, read: readNumber },
  operatorNote: text('operatorNote'),
} as const satisfies Record<string, Format>;

export type FieldColumn = keyof typeof fieldFormats;
export type FileColumn = 'id' | 'parent' | FieldColumn;

export const fieldColumns = Object.keys(fieldFormats) as FieldColumn[];
export const fileColumns: readonly FileColumn[] = ['id', 'parent', ...fieldColumns];

export const formatOf = (column: FieldColumn): Format => fieldFormats[column];

function text(name: 'name' | 'description' | 'price' | 'phoneNumber' | 'operatorNote'): Format {
  return { write: (service) => service[name] ?? '', read: (cell) => cell, mayBeEmpty: true };
}

function word(name: 'commissionType' | 'textSize' | 'textColor' | 'textStyle'): Format {
  return { write: (service) => service[name], read: (cell) => cell.trim() };
}

/** Whichever words a spreadsheet puts in their place, in French or in English. */
const answers: ReadonlyMap<string, boolean> = new Map([
  ...['oui', 'vrai', 'true', '1'].map((word) => [word, true] as const),
  ...['non', 'faux', 'false', '0'].map((word) => [word, false] as const),
]);

function yesOrNo(name: 'isFinalLevel' | 'isVisible' | 'allowUserPriceInput'): Format {
  return {
    write: (service) => (service[name] ? 'oui' : 'non'),
    read(cell) {
      const answer = answers.get(cell.trim().toLowerCase());
      if (answer === undefined) throw new Failure('INVALID', { message: importSentences.notYesOrNo });
      return answer;
    },
  };
}

/** With a comma: a French spreadsheet takes 1.5 for the first of May. */
function writeDecimal(value: number): string {
  return String(value).replace('.', ',');
}

function readNumber(cell: string): number {
  const digits = cell.replaceAll(/\s/g, '');
  if (!/^-?\d+(?:[.,]\d+)?$/.test(digits)) throw new Failure('INVALID', { message: importSentences.notANumber });
  return Number(digits.replace(',', '.'));
}

function writeRanges({ ranges }: CataloguedService): string {
  return ranges
    .map(({ minPrice, maxPrice, commissionType, commissionValue }) => {
      const percent = commissionType === 'percentage' ? '%' : '';
      return `${minPrice}-${maxPrice ?? ''}:${writeDecimal(Number(commissionValue))}${percent}`;
    })
    .join(' | ');
}

function readRanges(cell: string): unknown[] {
  const whole = cell.replaceAll(/\s/g, '');
  if (whole === '') return [];
  return whole.split('|').map((range) => {
    const found = /^(\d+)-(\d*):(\d+(?:[.,]\d+)?)(%?)$/.exec(range);
    if (!found) throw new Failure('INVALID', { message: importSentences.notRanges });
    const [, from, to, value, percent] = found;
    return {
      minPrice: Number(from),
      maxPrice: to ? Number(to) : null,
      commissionType: percent ? 'percentage' : 'fixed',
      commissionValue: Number(value?.replace(',', '.')),
    };
  });
}

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

/** The catalogue as a CSV file that a French spreadsheet opens: each service followed by all that is below it. */
export async function exportCatalogue(db: Db): Promise<string> {
  const children = Map.groupBy(await listAllServices(db), (service) => service.parentId);
  const withAllBelow = (service: CataloguedService): CataloguedService[] => [
    service,
    ...(children.get(service.id) ?? []).flatMap(withAllBelow),
  ];
  const rows = (children.get(null) ?? []).flatMap(withAllBelow).map(writeRow);
  return stringify([fileColumns, ...rows], {
    bom: true,
    delimiter: ';',
    record_delimiter: '\r\n',
    // Of the two characters of a line's end csv-stringify quotes a cell for both together only.
    quoted_match: /[\r\n]/,
  });
}

function writeRow(service: CataloguedService): string[] {
  const fields = fieldColumns.map((column) => formatOf(column).write(service));
  return [service.id, service.parentId ?? '', ...fields].map((cell) =>
    typeof cell === 'number' ? String(cell) : guardCell(cell),
  );
}
