import { hoursAhead } from '#contract/country-clock.ts';
import { maximumAmount } from '#contract/money.ts';
import type { LineState, PaymentDirection } from '#contract/payments.ts';
import type { CountryCode } from '#contract/phone.ts';
import type { ToldLine } from '#server/features/payments/intake/lines.ts';
import { instantOfReference, readTicketNumber } from '#server/features/payments/intake/operators/read-values.ts';
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
  /** The row's number as a spreadsheet shows it, from 1, within its sheet. */
  row: number;
}

export interface Statement {
  /** The model that read it, `<folder>/<name>@<version>`, and its operator. */
  model: string;
  operator: string;
  /** The first faults, for the person who sent the file. */
  faults: { row: number; message: string }[];
  rows: StatementRow[];
}

/** The account's clock and models. The clock's country is also that of national numbers. */
export interface StatementContext extends StatementClock {
  /** Models that may read the file, the best first. */
  models: readonly StatementModel[];
  /** Models of other wallets, if the account's wallet is known. */
  others: readonly StatementModel[];
  wallet: string | undefined;
}

/**
 * Reads a statement file by one of the models. The header may follow other rows and may be repeated. An unreadable row is a fault, and
 * the others are read. Throws StatementRefusal if the whole file is refused.
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

/** The state of reading a file row by row. */
class Reading {
  readonly #context: StatementContext;
  #rows: ReadRow[] = [];
  readonly #faults: { sheet: number; row: number; message: string }[] = [];
  #contradicting = 0;
  #model: StatementModel | undefined;
  #header: Header | undefined;
  /** The model of another wallet that knows the header. */
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
  /** The title of the reference column in this file, which identifies a repeated header. */
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

/** The columns of each of a model's meanings, from 0. */
type Places = Partial<Record<Meaning, number[]>>;

/** A row that cannot be read; the message is French, without any text of the row. */
class RowFault extends Error {
  /** Whether its date contradicts the payment. */
  readonly isContradiction: boolean;

  constructor(message: string, { isContradiction = false } = {}) {
    super(message);
    this.isContradiction = isContradiction;
  }
}

/** Reads a row as a line; undefined for a total, a blank row or a pending payment. Throws RowFault. */
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
  // Orange's references contain the time that a mere date lacks.
  const minute = instantOfReference(reference ?? '', country);
  const hour = minute && clockTextOf(new Date(Date.parse(minute) + hoursAhead(country) * 3_600_000)).slice(11, 16);
  const paidAt = readPaidAt(date, country) ?? readPaidAt(`${date} ${hour}`, country);
  if (!paidAt) throw new RowFault("La date est illisible, ou sans l'heure.");
  const dated = { text: date, paidAt, told: minute === undefined ? undefined : new Date(minute) };
  const contradicted = contradiction(dated, clock);
  if (contradicted !== undefined) throw new RowFault(contradicted, { isContradiction: true });
  const balance = amountAt('balanceAfter');
  // A reversal has the reference of the reversed payment, if the statement names it.
  const takenBack = direction === 'reversal' ? readReference(cellAt('takenBack')) : undefined;
  const line: ToldLine = {
    direction,
    state,
    gross,
    fee: direction === 'fee' ? Math.abs(exchanged) : charged === null ? null : Math.abs(charged),
    // Orange Burkina Faso's balances overflow at 2³¹, so a negative one counts as none.
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
  // Fees may have centimes, since they pay no ticket.
  if (hundredths % 100 !== 0 && direction !== 'fee') throw new RowFault('Le montant a des centimes.');
  return Math.ceil(hundredths / 100);
}
