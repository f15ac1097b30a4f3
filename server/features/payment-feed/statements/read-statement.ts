import { hoursAhead } from '#contract/country-clock.ts';
import { maximumAmount } from '#contract/money.ts';
import type { LineState, PaymentDirection } from '#contract/payments.ts';
import type { CountryCode } from '#contract/phone.ts';
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
import { readRows, type SheetRow } from './read-rows.ts';
import { StatementRefusal, statementLimits } from './statement-limits.ts';
import { type Meaning, type StatementModel, walletOf } from './statement-model.ts';
import { contradiction, type StatementClock, swappedDates, type WrittenDate } from './written-dates.ts';

export interface StatementRow extends ToldLine {
  /** As a spreadsheet shows it, from 1; of its sheet, where there are several. */
  row: number;
}

export interface Statement {
  /** `<folder>/<name>@<version>` of what read it, and its operator. */
  model: string;
  operator: string;
  /** The first of them, for the person who sent the file. */
  faults: { row: number; message: string }[];
  rows: StatementRow[];
}

/** Of the account that a file is for: its clock, whose country is also that of national numbers, and its models. */
export interface StatementContext extends StatementClock {
  /** Those that may read it, the best first. */
  models: readonly StatementModel[];
  /** Those of other wallets than the account's, which has a name then. */
  others: readonly StatementModel[];
  wallet: string | undefined;
}

/**
 * Reads a statement file by one of the models, whose header may stand below other rows and be repeated. A row that cannot be
 * taken is a fault, and the others go on. Throws StatementRefusal where the file as a whole is refused.
 */
export async function readStatement(bytes: Uint8Array, context: StatementContext): Promise<Statement> {
  const reading = new Reading(context);
  await readRows(bytes, (row) => reading.take(row));
  return reading.end();
}

interface ReadRow {
  sheet: number;
  line: StatementRow;
  date: WrittenDate;
}

/** A file that is being read, row by row. */
class Reading {
  readonly #context: StatementContext;
  #rows: ReadRow[] = [];
  readonly #faults: { sheet: number; row: number; message: string }[] = [];
  #contradicting = 0;
  #model: StatementModel | undefined;
  #header: Header | undefined;
  /** Whose header another wallet's model knows. */
  #other: StatementModel | undefined;
  #lastSheet = 1;
  #isEmpty = true;

  constructor(context: StatementContext) {
    this.#context = context;
  }

  take({ sheet, row, cells, fault }: SheetRow): void {
    const { models, others } = this.#context;
    this.#isEmpty &&= fault === undefined && cells.every((cell) => textOf(cell) === '');
    if (sheet !== this.#lastSheet) [this.#lastSheet, this.#header] = [sheet, undefined];
    if (this.#header ? cells.includes(this.#header.reference) : row <= statementLimits.preambleRows) {
      const found = findHeader(this.#model ? [this.#model] : models, cells);
      if (found) {
        [this.#model, this.#header] = [found.model, found];
        return;
      }
      if (!this.#model) this.#other ??= findHeader(others, cells)?.model;
    }
    if (!this.#header) return;
    try {
      if (fault !== undefined) throw new RowFault(fault);
      const read = readLine(this.#header, cells, this.#context);
      if (read) this.#rows.push({ sheet, line: { row, ...read.line }, date: read.date });
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      this.#note(sheet, row, error);
    }
  }

  end(): Statement {
    if (!this.#model && this.#other) throw refusalOf(this.#other, this.#context);
    if (!this.#model) throw new StatementRefusal(this.#isEmpty ? 'empty' : 'unknown');
    const swapped = swappedDates(
      this.#rows.map(({ date }) => date),
      this.#context,
    );
    for (const [place, message] of swapped) {
      const { sheet, line } = this.#rows[place] as ReadRow;
      this.#note(sheet, line.row, new RowFault(message, { isContradiction: true }));
    }
    const rows = this.#rows.flatMap(({ line }, place) => (swapped.has(place) ? [] : [line]));
    if (this.#contradicting > rows.length) throw new StatementRefusal('contradicting');
    const faults = this.#faults
      .toSorted((one, other) => one.sheet - other.sheet || one.row - other.row)
      .slice(0, statementLimits.faultsListed)
      .map(({ sheet, row, message }) => ({ row, message: sheet > 1 ? `Feuille ${sheet} : ${message}` : message }));
    const { parser, operator } = this.#model;
    return { model: parser, operator, rows, faults };
  }

  #note(sheet: number, row: number, { message, isContradiction }: RowFault): void {
    if (isContradiction) this.#contradicting += 1;
    this.#faults.push({ sheet, row, message });
  }
}

const refusalOf = ({ operator }: StatementModel, { wallet }: StatementContext) =>
  new StatementRefusal('other-wallet', {
    message: `Ce fichier est un relevé ${walletOf(operator)} ; ce compte est ${wallet}.`,
  });

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
class RowFault extends Error {
  /** Its date is that of no payment. */
  readonly isContradiction: boolean;

  constructor(message: string, { isContradiction = false } = {}) {
    super(message);
    this.isContradiction = isContradiction;
  }
}

/** The line that a row is; undefined for a total, a blank, or what is still pending. Throws RowFault. */
function readLine(
  { model, places }: Header,
  cells: readonly Cell[],
  clock: StatementClock,
): { line: ToldLine; date: WrittenDate } | undefined {
  const { country } = clock;
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
  const minute = instantOfReference(reference ?? '', country);
  const hour = minute && clockTextOf(new Date(Date.parse(minute) + hoursAhead(country) * 3_600_000)).slice(11, 16);
  const paidAt = readPaidAt(date, country) ?? readPaidAt(`${date} ${hour}`, country);
  if (!paidAt) throw new RowFault("La date est illisible, ou sans l'heure.");
  const dated = { text: date, paidAt, told: minute === undefined ? undefined : new Date(minute) };
  const contradicted = contradiction(dated, clock);
  if (contradicted !== undefined) throw new RowFault(contradicted, { isContradiction: true });
  const balance = amountAt('balanceAfter');
  // A reversal goes by the reference of the payment that it takes back, where the statement names that.
  const takenBack = direction === 'reversal' ? readReference(cellAt('takenBack')) : undefined;
  const line: ToldLine = {
    direction,
    state,
    gross,
    fee: direction === 'fee' ? Math.abs(exchanged) : charged === null ? null : Math.abs(charged),
    // Orange Burkina Faso's go round at 2³¹: one below zero is none.
    balanceAfter: balance === null || balance < 0 ? null : balance,
    reference: takenBack ?? reference,
    ourReference: readTicketNumber(textAt('ourReference').toLowerCase()) ?? null,
    payer: exchanged > 0 && direction !== 'fee' ? payerOf(model, textAt('payer'), country) : null,
    paidAt,
    senderMay: true,
  };
  return { line, date: dated };
}

function payerOf({ payerFollows = '' }: StatementModel, text: string, country: CountryCode): string | null {
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
