import { maximumAmount } from '#contract/money.ts';
import type { LineState, PaymentDirection } from '#contract/payments.ts';
import { instantOfReference, readTicketNumber } from '#server/features/payment-feed/operators/read-values.ts';
import {
  type Cell,
  clockTextOf,
  type PaidAt,
  plainName,
  readAmount,
  readCounterparty,
  readPaidAt,
  readReference,
  textOf,
} from './cell-values.ts';
import type { Meaning, StatementModel } from './statement-model.ts';

/** What a statement says of one movement of money: no payer's name, and none of its texts. */
export interface StatementLine extends PaidAt {
  direction: PaymentDirection;
  state: Exclude<LineState, 'announced'>;
  /** CFA francs, the fee included; for a fee alone, the next whole franc. */
  gross: number;
  /** Hundredths of a franc. */
  fee: number | null;
  balanceAfter: number | null;
  reference: string | null;
  /** The number of our ticket. */
  ourReference: number | null;
  /** E.164, or the last digits; null unless money came in. */
  payer: string | null;
}

/** The columns of each meaning of a model, from 0. */
export type Places = Partial<Record<Meaning, number[]>>;

/** One row cannot be taken; the message is French, without any text of the row. */
export class RowFault extends Error {}

/** The line that a row is; undefined for a total, a blank, or what is still pending. Throws RowFault. */
export function readLine(model: StatementModel, places: Places, cells: readonly Cell[]): StatementLine | undefined {
  const cellAt = (meaning: Meaning) => cells[places[meaning]?.[0] ?? -1];
  const textAt = (meaning: Meaning, read = textOf) =>
    (places[meaning] ?? [])
      .map((index) => read(cells[index]))
      .filter(Boolean)
      .join(' ');
  const amountAt = (meaning: Meaning) => {
    const amount = readAmount(cellAt(meaning));
    if (amount === undefined) throw new RowFault('Le montant est illisible.');
    return amount;
  };

  const written = textAt('reference');
  const date = textAt('paidAt', clockTextOf);
  if (model.referenceForm ? !new RegExp(model.referenceForm).test(written) : !written && !date) return undefined;
  const state = stateOf(model, plainName(textAt('status')));
  if (state === 'pending') return undefined;
  const amount = model.columns.amount ? amountAt('amount') : pairOf(amountAt('credit'), amountAt('debit'));
  if (amount === null && state === 'failed') return undefined;
  if (amount === null) throw new RowFault('Le montant est illisible.');
  const charged = amountAt('fee');
  const exchanged = model.isNetOfFee ? amount + (charged ?? 0) : amount;
  if (exchanged === 0) throw new RowFault('Le montant est nul.');
  const direction = directionOf(model, plainName(textAt('type')), exchanged);
  const gross = wholeFrancs(Math.abs(exchanged), direction);
  const paid = readPaidAt(date, model.country);
  if (!paid) throw new RowFault('La date est illisible.');
  const reference = readReference(cellAt('reference'));
  if (reference === undefined) throw new RowFault("La référence est illisible, ou un tableur l'a arrondie.");
  const balance = amountAt('balanceAfter');
  // A reversal goes by the reference of the payment that it takes back, where the statement names that.
  const takenBack = direction === 'reversal' ? readReference(cellAt('takenBack')) : undefined;
  return {
    direction,
    state,
    gross,
    fee: direction === 'fee' ? Math.abs(exchanged) : charged === null ? null : Math.abs(charged),
    // Orange Burkina Faso's go round at 2³¹: one below zero is none.
    balanceAfter: balance === null || balance < 0 ? null : balance,
    reference: takenBack ?? reference,
    ourReference: readTicketNumber(textAt('ourReference').toLowerCase()) ?? null,
    payer: exchanged > 0 && direction !== 'fee' ? payerOf(model, textAt('payer')) : null,
    ...(paid.paidAtPrecision === 'day' ? minuteOf(reference, paid, model) : paid),
  };
}

function payerOf({ payerFollows = '', country }: StatementModel, text: string): string | null {
  const [, ...after] = payerFollows ? text.split(payerFollows) : ['', text];
  return readCounterparty(after.join(' ').trim(), country);
}

/** Orange's references tell the minute that a date alone leaves out. */
function minuteOf(reference: string | null, day: PaidAt, { country }: StatementModel): PaidAt {
  const minute = instantOfReference(reference ?? '', country);
  const after = Date.parse(minute ?? '') - Date.parse(day.paidAt);
  return minute && after >= 0 && after < 86_400_000 ? { paidAt: minute, paidAtPrecision: 'minute' } : day;
}

function stateOf({ statuses }: StatementModel, status: string): StatementLine['state'] | 'pending' {
  if (!statuses) return 'settled';
  const states = ['settled', 'failed', 'reversed', 'pending'] as const;
  const state = states.find((each) => statuses[each].includes(status));
  if (!state) throw new RowFault('Le statut est inconnu.');
  return state;
}

/** Operators write a debit with or without its sign, and 0 or nothing beside it. */
function pairOf(credit: number | null, debit: number | null): number | null {
  if (credit && debit) throw new RowFault('La ligne a un débit et un crédit.');
  return debit ? -Math.abs(debit) : (credit ?? debit);
}

function directionOf({ types }: StatementModel, type: string, amount: number): PaymentDirection {
  const told = new Set(type.split(/[^a-z\d]+/));
  const overruling = ['reversal', 'fee', 'out'] as const;
  return overruling.find((each) => types[each].some((word) => told.has(word))) ?? (amount < 0 ? 'out' : 'in');
}

function wholeFrancs(hundredths: number, direction: PaymentDirection): number {
  if (hundredths > maximumAmount * 100)
    throw new RowFault(`Le montant dépasse ${maximumAmount.toLocaleString('fr')} F.`);
  // Nobody pays a ticket with a fee, and some have centimes.
  if (hundredths % 100 !== 0 && direction !== 'fee') throw new RowFault('Le montant a des centimes.');
  return Math.ceil(hundredths / 100);
}
