import type { ChangeEvent } from 'react';
import { type AdminService, defaultTextColor, type NewService, type ServiceChange } from '#contract/catalogue.ts';
import { maximumAmount } from '#contract/money.ts';
import type { CommissionRange, CommissionRule } from '#contract/pricing.ts';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { formatCount } from '#web/text/formats.ts';
import type { ServiceTree } from './service-tree.ts';

export interface RangeDraft {
  /** A stable React key. */
  key: number;
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
  /** Empty for a new service: after its siblings. */
  sortOrder: string;
  /** The address of the stored image, a file to upload, or null. */
  image: string | File | null;
}
export type DraftField = keyof ServiceDraft;

export function newDraft(parentId: number | null): ServiceDraft {
  return {
    name: '',
    description: '',
    price: '',
    parentId,
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
    sortOrder: '',
    image: null,
  };
}

const writeRate = (rate: number) => String(rate).replace('.', ',');

export function draftOf(service: AdminService): ServiceDraft {
  const { id: _, level: __, createdAt: ___, updatedAt: ____, pictureUrl, ...fields } = service;
  return {
    ...fields,
    price: service.price ?? '',
    commissionValue: writeRate(service.commissionValue),
    commissionRanges: service.commissionRanges.map((range, index) => ({
      key: index,
      minPrice: formatCount(range.minPrice),
      maxPrice: range.maxPrice === null ? '' : formatCount(range.maxPrice),
      commissionType: range.commissionType,
      commissionValue: writeRate(range.commissionValue),
    })),
    phoneNumber: service.phoneNumber ?? '',
    sortOrder: String(service.sortOrder),
    image: pictureUrl,
  };
}

/** The request body of a draft; a number that cannot be parsed is null. */
function valuesOf(draft: ServiceDraft): Required<Omit<ServiceChange, 'level' | 'removeImage'>> {
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
    sortOrder: readOrder(draft.sortOrder) ?? Number.NaN,
  };
}

/** The fields whose values differ, however they are typed. */
export function differences(one: ServiceDraft, other: ServiceDraft): DraftField[] {
  const [values, others] = [valuesOf(one), valuesOf(other)];
  const isSame = (name: DraftField) =>
    name === 'image' ? one.image === other.image : JSON.stringify(values[name]) === JSON.stringify(others[name]);
  return (Object.keys(one) as DraftField[]).filter((name) => !isSame(name));
}

/**
 * The request that turns the service `before` into `written`: the changed fields, and only the valid part of the
 * commission.
 */
export function changesOf(before: ServiceDraft, written: ServiceDraft): { body: ServiceChange; file?: File } {
  const values = valuesOf(written);
  const changed = differences(before, written).filter((name) => name !== 'image' && counts(written, name));
  const body: ServiceChange = Object.fromEntries(changed.map((name) => [name, values[name as keyof typeof values]]));
  if (written.image instanceof File) return { body, file: written.image };
  return { body: written.image === null && before.image !== null ? { ...body, removeImage: true } : body };
}

/** Only final services have a commission, and it is a value or ranges. */
function counts({ isFinalLevel, commissionType }: ServiceDraft, name: DraftField): boolean {
  if (name === 'commissionType') return isFinalLevel;
  if (name === 'commissionValue') return isFinalLevel && commissionType !== 'range';
  if (name === 'commissionRanges') return isFinalLevel && commissionType === 'range';
  return true;
}

/** Rebases a draft: edited fields stay, all others come from the newer version. */
export function takeOver(before: ServiceDraft, written: ServiceDraft, now: ServiceDraft): ServiceDraft {
  const own = differences(before, written);
  return { ...now, ...Object.fromEntries(own.map((name) => [name, written[name]])) };
}

/** The valid ranges, each with its index in the draft. */
export function readRanges(draft: ServiceDraft): { place: number; range: CommissionRange }[] {
  return valuesOf(draft).commissionRanges.flatMap(({ minPrice, maxPrice, commissionType, commissionValue }, place) =>
    Number.isNaN(minPrice) || Number.isNaN(maxPrice) || minPrice > (maxPrice ?? minPrice)
      ? []
      : [{ place, range: { minPrice, maxPrice, rate: { type: commissionType, value: commissionValue || 0 } } }],
  );
}

export function ruleOf(draft: ServiceDraft): CommissionRule {
  if (!draft.isFinalLevel) return { type: 'fixed', value: 0 };
  if (draft.commissionType === 'range') return { type: 'range', ranges: readRanges(draft).map(({ range }) => range) };
  return { type: draft.commissionType, value: readRate(draft.commissionValue) ?? 0 };
}

/** The fields of exactly this type. */
type NameOf<Value> = {
  [Name in DraftField]: [Value, ServiceDraft[Name]] extends [ServiceDraft[Name], Value] ? Name : never;
}[DraftField];

/** The props of the draft's text fields and check boxes, by their names. */
export function draftFields(draft: ServiceDraft, errors: FieldErrors, change: (part: Partial<ServiceDraft>) => void) {
  return {
    text: (name: NameOf<string>) => ({
      value: draft[name],
      error: errors[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change({ [name]: target.value }),
    }),
    check: (name: NameOf<boolean>) => ({
      checked: draft[name],
      error: errors[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.checked }),
    }),
  };
}

/** Props of each part of the form. */
export interface ServicePart extends ReturnType<typeof draftFields> {
  draft: ServiceDraft;
  errors: FieldErrors;
  change: (part: Partial<ServiceDraft>) => void;
  tree: ServiceTree;
  /** Undefined for a new service. */
  id: number | undefined;
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

/** Parses a typed sort order. */
export function readOrder(typed: string): number | undefined {
  return /^-?\d{1,5}$/.test(typed.trim()) ? Number(typed) : undefined;
}
