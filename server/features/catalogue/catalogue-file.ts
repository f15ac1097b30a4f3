import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { type CatalogueColumn, catalogueColumns } from '#contract/catalogue-columns.ts';
import { Failure, failureCatalogue } from '#contract/failure.ts';
import { fold } from '#contract/fold.ts';
import type { Db } from '#server/database/connect.ts';
import { type CataloguedService, listAllServices, rangesOf } from './store.ts';

/** Limits of catalogue files; the contract limits their size. */
export const catalogueLimits = {
  /** Services of an import. Others wait for it; this is three times the largest catalogue, and is written in time. */
  importedLines: 5_000,
  /** Errors that the answer to an import lists. More of them suggest a wrong file. */
  toldErrors: 500,
} as const;

/** The import's own sentences for refused cells; rules of the contract and of the catalogue have their own. */
export const importSentences = {
  empty: 'Le fichier est vide.',
  unknownColumn: (name: string) => `La colonne « ${name} » n'existe pas.`,
  columnTwice: (name: string) => `La colonne « ${name} » est là deux fois.`,
  tooManyLines: `Le fichier a plus de ${catalogueLimits.importedLines.toLocaleString('fr')} lignes.`,
  tooManyCells: "Cette ligne a plus de cases que l'en-tête.",
  misplacedQuote: 'Un guillemet est mal placé ou manque : doublez-le, et mettez toute la case entre guillemets.',
  unreadable:
    "Un caractère est illisible : dans le tableur, corrigez la case s'il le faut, puis enregistrez au format « CSV UTF-8 ».",
  cannotBeEmpty: 'Cette case ne peut pas être vide.',
  notYesOrNo: 'Écrivez oui ou non.',
  notOneOf: (words: string) => `Écrivez ${words}.`,
  notANumber: 'Écrivez un nombre.',
  notRanges: 'Écrivez les tranches ainsi : 1-5000:100 | 5001-20000:1,5% | 20001-:2%',
  notAnId: "Écrivez l'identifiant d'un service, ou laissez vide.",
  idTwice: (line: number) => `La ligne ${line} a déjà cet identifiant.`,
  notMoved: 'Un service ne se déplace que dans le panneau : remettez la case comme elle était.',
  unknownService: failureCatalogue.SERVICE_NOT_FOUND[1],
} as const;

/** Signs that start a formula. Spreadsheets also accept the full-width forms of East Asian keyboards. */
const starts = '=+\\-@\\t\\r＝＋－＠';
const guarded = new RegExp(`^'*[${starts}]`);
const unguarded = new RegExp(`^'+[${starts}]`);

/**
 * A cell of a CSV file. A formula gets an apostrophe in front, and so do apostrophes before a formula, so that reading can undo it. See
 * https://owasp.org/www-community/attacks/CSV_Injection.
 */
const guardCell = (cell: string): string => (guarded.test(cell) ? `'${cell}` : cell);
const unguardCell = (cell: string): string => (unguarded.test(cell) ? cell.slice(1) : cell);

/** How a field of a service is written and read in a cell. */
interface Format {
  write(value: unknown): string;
  /** Reads a value that the contract's schema then checks. Throws INVALID. */
  read(cell: string): unknown;
  /** An empty cell is a value. */
  mayBeEmpty?: true;
}

function invalid(message: string): never {
  throw new Failure('INVALID', { message });
}

const text: Format = { write: (value) => guardCell(String(value ?? '')), read: (cell) => cell, mayBeEmpty: true };
/**
 * A number gets an apostrophe too, since a spreadsheet would drop its 0 or its plus. Excel and LibreOffice show and keep the apostrophe.
 */
const dialled: Format = {
  write: (value) => (/^[\d+]/.test(String(value ?? '')) ? `'${value}` : guardCell(String(value ?? ''))),
  read: (cell) => cell.replace(/^\s*['’]+/, ''),
  mayBeEmpty: true,
};
const word: Format = { write: String, read: (cell) => cell.trim() };

/** One of some values, in French; the values themselves are read too. */
function choice(words: Readonly<Record<string, string>>): Format {
  const byWord = new Map(
    Object.entries(words).flatMap(([value, french]) => [value, french].map((each) => [fold(each), value])),
  );
  const told = Object.values(words)
    .join(', ')
    .replace(/, ([^,]*)$/, ' ou $1');
  return {
    write: (value) => words[String(value)] ?? String(value),
    read: (cell) => byWord.get(fold(cell.trim())) ?? invalid(importSentences.notOneOf(told)),
  };
}

/** Reads every word that a French or English spreadsheet writes for true and false. */
const yesOrNo: Format = {
  write: (value) => (value ? 'oui' : 'non'),
  read(cell) {
    const answer = cell.trim().toLowerCase();
    if (['oui', 'vrai', 'true', '1'].includes(answer)) return true;
    return ['non', 'faux', 'false', '0'].includes(answer) ? false : invalid(importSentences.notYesOrNo);
  },
};

/** Written with a comma: a French spreadsheet reads 1.5 as the first of May. */
const decimal: Format = {
  write: (value) => String(value).replace('.', ','),
  read(cell) {
    const digits = cell.replaceAll(/\s/g, '');
    return /^-?\d+(?:[.,]\d+)?$/.test(digits) ? Number(digits.replace(',', '.')) : invalid(importSentences.notANumber);
  },
};

const ranges: Format = {
  write: (value) =>
    (value as ReturnType<typeof rangesOf>)
      .map(({ minPrice, maxPrice, commissionType, commissionValue }) => {
        const percent = commissionType === 'percentage' ? '%' : '';
        return `${minPrice}-${maxPrice ?? ''}:${decimal.write(commissionValue)}${percent}`;
      })
      .join(' | '),
  read(cell) {
    const whole = cell.replaceAll(/\s/g, '');
    if (whole === '') return [];
    return whole.split('|').map((range) => {
      const [found, from, to, value = '', percent] = /^(\d+)-(\d*):(\d+(?:[.,]\d+)?)(%?)$/.exec(range) ?? [];
      if (!found) invalid(importSentences.notRanges);
      const rate = { commissionType: percent ? 'percentage' : 'fixed', commissionValue: decimal.read(value) };
      return { minPrice: Number(from), maxPrice: to ? Number(to) : null, ...rate };
    });
  },
  mayBeEmpty: true,
};

/** The file's columns of fields. */
export const fieldFormats = {
  name: text,
  description: text,
  price: text,
  isFinalLevel: yesOrNo,
  isVisible: yesOrNo,
  allowUserPriceInput: yesOrNo,
  commissionType: choice({ fixed: 'fixe', percentage: 'pourcentage', range: 'tranches' }),
  commissionValue: decimal,
  commissionRanges: ranges,
  textSize: choice({ small: 'petit', medium: 'moyen', large: 'grand' }),
  textColor: word,
  textStyle: choice({ normal: 'normal', bold: 'gras', italic: 'italique', 'bold italic': 'gras italique' }),
  phoneNumber: dialled,
  sortOrder: decimal,
  operatorNote: text,
} as const satisfies Record<string, Format>;

export type FieldColumn = keyof typeof fieldFormats;

export const fieldColumns = Object.keys(fieldFormats) as FieldColumn[];
const columnByName: ReadonlyMap<string, string> = new Map(
  Object.entries(catalogueColumns).flatMap(([column, french]) => [column, french].map((name) => [fold(name), column])),
);

/** A non-empty row of the file. `line` is the text line where it begins, from 1. */
export interface FileRow {
  line: number;
  /** Cells by column; a row that ends early has empty cells. */
  cells: ReadonlyMap<CatalogueColumn, string>;
}

export interface FileError {
  line: number;
  column: string | null;
  message: string;
}

/** A first line that tells Excel the separator. */
const separatorLine = /^\ufeff?"?sep=([;,\t])"?(?:\r\n|\r|\n|$)/i;

/** Reads a CSV file with `;`, `,` or tabs between its cells. With an error there are no rows. */
export function readCatalogueFile(csv: string): { rows: FileRow[]; errors: FileError[] } {
  const errors: FileError[] = [];
  const refuse = (line: number, column: string | null, message: string) => errors.push({ line, column, message });
  const records: { line: number; cells: string[] }[] = [];
  const said = separatorLine.exec(csv);
  let next = said ? 2 : 1;
  try {
    parse(csv.slice(said?.[0].length ?? 0), {
      bom: true,
      delimiter: said?.[1] ?? delimiterOf(csv),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record(cells: string[]) {
        if (cells.some((cell) => cell.trim() !== '')) records.push({ line: next, cells });
        // csv-parse counts CR LF inside a cell as two lines.
        next += 1 + (cells.join().match(/\r\n|\r|\n/g)?.length ?? 0);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    refuse(next, null, importSentences.misplacedQuote);
  }
  const [header, ...lines] = records;
  if (!header && errors.length === 0) refuse(1, null, importSentences.empty);
  if (!header || errors.length > 0) return { rows: [], errors };
  const tooMany = lines[catalogueLimits.importedLines];
  if (tooMany) refuse(tooMany.line, null, importSentences.tooManyLines);
  const names = header.cells.map((cell) => cell.trim());
  const columns = names.map((name) => name && (columnByName.get(fold(name)) ?? name));
  for (const [place, name] of names.entries()) {
    const column = columns[place] ?? '';
    // The replacement character for bytes that are invalid in the file's encoding.
    if (name.includes('\ufffd')) refuse(header.line, null, importSentences.unreadable);
    else if (name && columns.indexOf(column) < place) refuse(header.line, column, importSentences.columnTwice(name));
    else if (name && !columnByName.has(fold(name))) refuse(header.line, column, importSentences.unknownColumn(name));
  }
  for (const { line, cells } of lines)
    for (const [place, cell] of cells.entries()) {
      if (cell.trim() && !columns[place]) refuse(line, null, importSentences.tooManyCells);
      else if (cell.includes('\ufffd')) refuse(line, columns[place] ?? null, importSentences.unreadable);
    }
  const rows = lines.map(({ line, cells }) => {
    const named = columns.map((column, place) => [column as CatalogueColumn, unguardCell(cells[place] ?? '')] as const);
    return { line, cells: new Map(named) };
  });
  return errors.length > 0 ? { rows: [], errors } : { rows, errors };
}

/** The separator in the header, whose names contain none of the three. */
const delimiterOf = (csv: string): string => /[^\s\ufeff][^\r\n]*/.exec(csv)?.[0].match(/[;,\t]/)?.[0] ?? ';';

/** The catalogue as a CSV file for a French spreadsheet: each service is followed by all below it. */
export async function exportCatalogue(db: Db): Promise<string> {
  const children = Map.groupBy(await listAllServices(db), (service) => service.parentId);
  const linesUnder = (parentId: number | null): string[][] =>
    (children.get(parentId) ?? []).flatMap((service) => [lineOf(service), ...linesUnder(service.id)]);
  return stringify([Object.values(catalogueColumns), ...linesUnder(null)], {
    bom: true,
    delimiter: ';',
    record_delimiter: '\r\n',
    // Quotes cells with CR or LF: by default csv-stringify quotes only for both together.
    quoted_match: /[\r\n]/,
  });
}

function lineOf(service: CataloguedService): string[] {
  const values = { ...service, commissionRanges: rangesOf(service) };
  return [
    String(service.id),
    String(service.parentId ?? ''),
    ...fieldColumns.map((column) => fieldFormats[column].write(values[column])),
  ];
}
