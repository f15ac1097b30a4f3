import { Failure } from '#contract/failure.ts';
import { importSentences } from './import-sentences.ts';
import type { CataloguedService } from './store.ts';

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
/** The header row. */
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
