import { maximumAmount } from '#contract/money.ts';

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
