import { createHash } from 'node:crypto';
import type { LineState, PaymentDirection, PaymentInput } from '#contract/payments.ts';

/** What an input says of one movement of money. */
export interface ToldLine {
  direction: PaymentDirection;
  state: LineState;
  /** CFA francs, the fee included. */
  gross: number;
  /** Hundredths of a franc. */
  fee: number | null;
  balanceAfter: number | null;
  /** The operator's, in capitals. */
  reference: string | null;
  ourReference: number | null;
  /** E.164, or the last digits. */
  payer: string | null;
  paidAt: Date;
  /** The hour is not told. */
  isDayOnly?: boolean;
  isTrusted: boolean;
}

/** A line as the database takes it, under the names of its columns there. */
export interface KeyedLine extends Omit<ToldLine, 'paidAt' | 'isDayOnly'> {
  key: string;
  plainReference: string | null;
  /** ISO 8601. */
  paidAt: string;
  isDayOnly: boolean;
}

/** Letters and digits alone: what two writings of one reference have in common. */
export const plainReference = (reference: string): string => reference.toUpperCase().replace(/[^A-Z0-9]/g, '');

/**
 * Names each line so that the same one has the same name by whatever input: the operator's id; without one what is known of
 * it, to the minute, and a number among its equals, so that two real payments stay two.
 */
export function keyLines(lines: readonly ToldLine[]): KeyedLine[] {
  const equals = new Map<string, number>();
  return lines.map(({ paidAt, isDayOnly = false, ...line }) => {
    const plain = line.reference === null ? null : plainReference(line.reference) || null;
    const { direction, gross, payer } = line;
    const known = [direction, gross, payer, Math.floor(paidAt.getTime() / 60_000)].join('|');
    const place = (equals.get(known) ?? 0) + 1;
    if (plain === null) equals.set(known, place);
    const hash = () => createHash('sha256').update(`${known}|${place}`).digest('base64url').slice(0, 22);
    return {
      ...line,
      key: plain === null ? `h:${hash()}` : `r:${direction}:${plain}`,
      plainReference: plain,
      paidAt: paidAt.toISOString(),
      isDayOnly,
    };
  });
}

/** The bit of an input in `seen_in`. */
export const bitOf = (input: PaymentInput): number => {
  const bits: Record<PaymentInput, number> = { sms: 1, paste: 2, wave: 4, file: 8, person: 16 };
  return bits[input];
};
