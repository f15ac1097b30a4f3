import { type AdminService, defaultTextColor } from '#contract/catalogue.ts';
import type { NewService, ServiceChange } from '#contract/catalogue-edits.ts';
import { dialTemplateProblem } from '#contract/dial-code.ts';
import { maximumAmount } from '#contract/money.ts';
import type { CommissionRule } from '#contract/pricing.ts';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { formatCount } from '#web/text/formats.ts';

/** A commission range in the form, as text. */
export interface RangeDraft {
  minPrice: string;
  maxPrice: string;
  commissionType: 'fixed' | 'percentage';
  commissionValue: string;
}

/** A service in the form, as text. */
export interface ServiceDraft
  extends Pick<
    NewService,
    | 'name'
    | 'description'
    | 'parentId'
    | 'isFinalLevel'
    | 'isVisible'
    | 'allowUserPriceInput'
    | 'commissionType'
    | 'textSize'
    | 'textColor'
    | 'textStyle'
    | 'operatorNote'
  > {
  price: string;
  commissionValue: string;
  commissionRanges: RangeDraft[];
  phoneNumber: string;
  /** The address of the stored image, a file to upload, or null. */
  image: string | File | null;
}
type DraftField = keyof ServiceDraft;

export const newDraft: ServiceDraft = {
  name: '',
  description: '',
  price: '',
  parentId: null,
  isFinalLevel: false,
  isVisible: true,
  allowUserPriceInput: false,
  commissionType: 'fixed',
  commissionValue: '0',
  commissionRanges: [],
  textSize: 'medium',
  textColor: defaultTextColor,
  textStyle: 'normal',
  phoneNumber: '',
  operatorNote: '',
  image: null,
};

/** A rate as it is typed, with a comma. */
export const writeRate = (rate: number) => String(rate).replace('.', ',');

export function draftOf(service: AdminService): ServiceDraft {
  const { id: _, level: __, sortOrder: ___, createdAt: ____, updatedAt: _____, pictureUrl, ...fields } = service;
  return {
    ...fields,
    price: service.price ?? '',
    commissionValue: writeRate(service.commissionValue),
    commissionRanges: service.commissionRanges.map(({ minPrice, maxPrice, commissionType, commissionValue }) => ({
      minPrice: formatCount(minPrice),
      maxPrice: maxPrice === null ? '' : formatCount(maxPrice),
      commissionType,
      commissionValue: writeRate(commissionValue),
    })),
    phoneNumber: service.phoneNumber ?? '',
    image: pictureUrl,
  };
}

/** The request body of a draft; a number that cannot be parsed is NaN. */
function valuesOf(draft: ServiceDraft): Required<Omit<ServiceChange, 'level' | 'sortOrder' | 'removeImage'>> {
  const { image: _, ...fields } = draft;
  return {
    ...fields,
    name: draft.name.trim(),
    description: draft.description.trim(),
    price: draft.price.trim() || null,
    commissionValue: readRate(draft.commissionValue) ?? Number.NaN,
    commissionRanges: draft.commissionRanges.map((range) => ({
      minPrice: readFrancs(range.minPrice) ?? Number.NaN,
      maxPrice: range.maxPrice.trim() ? (readFrancs(range.maxPrice) ?? Number.NaN) : null,
      commissionType: range.commissionType,
      commissionValue: readRate(range.commissionValue) ?? Number.NaN,
    })),
    phoneNumber: draft.phoneNumber.trim() || null,
    operatorNote: draft.operatorNote.trim(),
  };
}

/**
 * The request that turns the service `before` into `written`: the fields whose values differ, however they are typed, and of
 * the commission only what applies.
 */
export function changesOf(before: ServiceDraft, written: ServiceDraft): { body: ServiceChange; file?: File } {
  const [old, values] = [valuesOf(before), valuesOf(written)];
  const names = Object.keys(values) as (keyof typeof values)[];
  const changed = names.filter(
    (name) => applies(written, name) && JSON.stringify(values[name]) !== JSON.stringify(old[name]),
  );
  const body: ServiceChange = Object.fromEntries(changed.map((name) => [name, values[name]]));
  if (written.image instanceof File) return { body, file: written.image };
  return { body: written.image === null && before.image !== null ? { ...body, removeImage: true } : body };
}

/** Only final services have a commission, and it is a value or ranges. */
function applies({ isFinalLevel, commissionType }: ServiceDraft, name: DraftField): boolean {
  if (name === 'commissionType') return isFinalLevel;
  if (name === 'commissionValue') return isFinalLevel && commissionType !== 'range';
  if (name === 'commissionRanges') return isFinalLevel && commissionType === 'range';
  return true;
}

/** The rule of the draft, without the ranges that cannot be read yet. */
export function ruleOf(draft: ServiceDraft): CommissionRule {
  const { isFinalLevel, commissionType, commissionValue, commissionRanges } = valuesOf(draft);
  if (!isFinalLevel) return { type: 'fixed', value: 0 };
  if (commissionType !== 'range') return { type: commissionType, value: commissionValue || 0 };
  const ranges = commissionRanges.flatMap(({ minPrice, maxPrice, commissionType: type, commissionValue: value }) =>
    Number.isNaN(minPrice) || Number.isNaN(maxPrice) ? [] : [{ minPrice, maxPrice, rate: { type, value: value || 0 } }],
  );
  return { type: 'range', ranges };
}

const notFrancs = 'Un nombre entier, 10 000 000 au plus.';
const notARate = 'Un nombre, deux décimales au plus.';

/**
 * A missing name, a code that cannot be dialled and values that cannot be parsed, by the server's field names. The server checks everything else: its schemas would
 * enlarge the first screen of every phone (docs/decisions/first-screen.md).
 */
export function draftErrors(draft: ServiceDraft): FieldErrors {
  const { commissionValue, commissionRanges } = valuesOf(draft);
  const errors: FieldErrors = {};
  if (!draft.name.trim()) errors.name = 'Le nom du service est requis.';
  if (applies(draft, 'commissionValue') && Number.isNaN(commissionValue)) errors.commissionValue = notARate;
  if (applies(draft, 'commissionRanges'))
    for (const [place, range] of commissionRanges.entries()) {
      const at = `commissionRanges.${place}`;
      if (Number.isNaN(range.minPrice)) errors[`${at}.minPrice`] = notFrancs;
      if (Number.isNaN(range.maxPrice)) errors[`${at}.maxPrice`] = notFrancs;
      if (Number.isNaN(range.commissionValue)) errors[`${at}.commissionValue`] = notARate;
    }
  const problem = draft.phoneNumber.trim() && dialTemplateProblem(draft.phoneNumber.trim());
  if (problem) errors.phoneNumber = problem;
  return errors;
}

/** Parses a typed number of CFA francs, with or without spaces; `undefined` unless it is a valid whole amount. */
export function readFrancs(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{1,9}$/.test(digits) && Number(digits) <= maximumAmount ? Number(digits) : undefined;
}

/** Parses a typed rate, with a comma or a point and two decimals at most. */
export function readRate(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '').replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,2})?$/.test(digits) ? Number(digits) : undefined;
}
