import { maximumAmount } from '#contract/money.ts';
import type { LineState, PaymentDirection } from '#contract/payments.ts';
import type { ToldLine } from '#server/features/payment-feed/lines.ts';
import { instantOfReference, readTicketNumber } from '#server/features/payment-feed/operators/read-values.ts';
import {
  type Cell,
  clockTextOf,
  headOf,
  plainName,
  readAmount,
  readCounterparty,
  readPaidAt,
  readReference,
  textOf,
} from './cell-values.ts';
import { readRows } from './read-rows.ts';
import { StatementRefusal, statementLimits } from './statement-limits.ts';
import type { Meaning, StatementModel } from './statement-model.ts';

export interface StatementRow extends ToldLine {
  /** As a spreadsheet shows it, from 1; of its sheet, where there are several. */
  row: number;
}

export interface Statement {
  /** `<folder>/<name>@<version>` of what read it. */
  model: string;
  /** The first of them, for the person who sent the file. */
  faults: { row: number; message: string }[];
  rows: StatementRow[];
}

/**
 * Reads a statement file of one of these models, whose header may stand below other rows and be repeated. Give it those of
 * one country, whose clock and national numbers it then reads. A row that cannot be taken is a fault, and the others go on.
 * Throws StatementRefusal where the file as a whole is refused.
 */
export async function readStatement(bytes: Uint8Array, models: readonly StatementModel[]): Promise<Statement> {
  const [rows, faults]: [StatementRow[], Statement['faults']] = [[], []];
  let model: StatementModel | undefined;
  let header: Header | undefined;
  let lastSheet = 1;
  let isEmpty = true;
  await readRows(bytes, ({ sheet, row, cells }) => {
    isEmpty &&= cells.every((cell) => textOf(cell) === '');
    if (sheet !== lastSheet) [lastSheet, header] = [sheet, undefined];
    if (header ? cells.includes(header.reference) : row <= statementLimits.preambleRows) {
      const found = findHeader(model ? [model] : models, cells);
      if (found) {
        [model, header] = [found.model, found];
        return;
      }
    }
    if (!header) return;
    try {
      const line = readLine(header.model, header.places, cells);
      if (line) rows.push({ row, ...line });
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      const where = sheet > 1 ? `Feuille ${sheet} : ` : '';
      if (faults.length < statementLimits.faultsListed) faults.push({ row, message: `${where}${error.message}` });
    }
  });
  if (!model) throw new StatementRefusal(isEmpty ? 'empty' : 'unknown');
  return { model: model.parser, rows, faults };
}

interface Header {
  model: StatementModel;
  places: Places;
  /** The reference's name as this file writes it, by which a repeated header is known. */
  reference: Cell;
}

function findHeader(models: readonly StatementModel[], cells: readonly Cell[]): Header | undefined {
  const heads = Array.from(cells, headOf);
  for (const model of models) {
    const found = Object.entries(model.columns).map(([meaning, columns = []]): [Meaning, number[]] => [
      meaning as Meaning,
      columns.map((head) => placeOf(heads, head, meaning === 'payer' ? model.payerIsNth : 1)),
    ]);
    const places: Places = Object.fromEntries(found);
    if (found.every(([meaning, indexes]) => meaning === 'ourReference' || !indexes.includes(-1)))
      return { model, places, reference: cells[places.reference?.[0] ?? -1] };
  }
  return undefined;
}

const placeOf = (heads: readonly string[], head: string, nth: number): number =>
  heads.flatMap((each, place) => (each === head ? [place] : []))[nth - 1] ?? -1;

/** The columns of each meaning of a model, from 0. */
type Places = Partial<Record<Meaning, number[]>>;

/** One row cannot be taken; the message is French, without any text of the row. */
class RowFault extends Error {}

/** The line that a row is; undefined for a total, a blank, or what is still pending. Throws RowFault. */
function readLine(model: StatementModel, places: Places, cells: readonly Cell[]): ToldLine | undefined {
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
  const reference = readReference(cellAt('reference'));
  if (reference === undefined) throw new RowFault("La référence est illisible, ou un tableur l'a arrondie.");
  // Orange's references tell the hour that a date alone leaves out.
  const hour = instantOfReference(reference ?? '', model.country)?.slice(11, 16);
  const paidAt = readPaidAt(date, model.country) ?? readPaidAt(`${date} ${hour}`, model.country);
  if (!paidAt) throw new RowFault("La date est illisible, ou sans l'heure.");
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
    paidAt,
    isTrusted: true,
  };
}

function payerOf({ payerFollows = '', country }: StatementModel, text: string): string | null {
  const [, ...after] = payerFollows ? text.split(payerFollows) : ['', text];
  return readCounterparty(after.join(' ').trim(), country);
}

function stateOf({ statuses }: StatementModel, status: string): LineState | 'pending' {
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
