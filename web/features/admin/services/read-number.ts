import { maximumAmount } from '#contract/money.ts';

/** A typed number of CFA francs, spaces between its digits or not; nothing unless it is whole and an order may have it. */
export function readFrancs(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{1,9}$/.test(digits) && Number(digits) <= maximumAmount ? Number(digits) : undefined;
}

/** A typed rate, with a comma or a point and two decimals at most. */
export function readRate(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '').replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,2})?$/.test(digits) ? Number(digits) : undefined;
}

/** A typed place among neighbours. */
export function readOrder(typed: string): number | undefined {
  return /^-?\d{1,5}$/.test(typed.trim()) ? Number(typed) : undefined;
}
