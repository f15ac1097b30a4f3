import type { PaymentPair } from '#contract/payments.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { dialect } from '#server/database/rows.ts';
import { followsFromNothing } from '#server/features/payments/intake/balances.ts';
import { type AccountName, type Day, type DayLine, dayAccounts, isRight } from './payment-day.ts';

/** What the clerk asks the product, as an administrator, and the database. */
interface Desk {
  ask<Body>(method: string, path: string, body?: object): Promise<Body>;
  query<Row extends object>(text: string): Promise<Row[]>;
}

/**
 * An administrator who approves what is ticked, and what else they look up in a wallet that has no statement: an SMS whose balance
 * follows from nothing confirmed. Their eyes are the day's own truth.
 */
export class DayClerk {
  readonly #desk: Desk;
  readonly #day: Day;
  readonly #lineOf: ReadonlyMap<string | null, DayLine>;
  /** Ticked pairs that the payer did not mean, in words. */
  readonly wrong = new Set<string>();
  /** Keys of the day's lines that were ever ticked. */
  readonly ticked = new Set<number>();
  /** Right pairs that were ever certain (R0 to R2): by the line's id, whether they were ticked. */
  readonly certain = new Map<number, boolean>();
  /** The same of payments from a number of nobody's, those included that another request may have been meant by. */
  readonly fromOtherSims = new Map<number, boolean>();

  constructor(desk: Desk, day: Day) {
    this.#desk = desk;
    this.#day = day;
    this.#lineOf = new Map(day.lines.map((line) => [plainReference(line.reference), line]));
  }

  /** Decides what waits at a time of the day, until nothing is left that is ticked or looked up. */
  async work(at: number): Promise<void> {
    await this.#lookUp(at);
    for (;;) {
      const { sure, doubtful } = await this.#desk.ask<Record<'sure' | 'doubtful', PaymentPair[]>>(
        'GET',
        '/api/admin/payments/proposals',
      );
      this.#note(sure, this.certain);
      const isOtherSim = ({ evidence }: PaymentPair) =>
        evidence.some((each) => each.includes("n'est celui de personne"));
      this.#note([...sure, ...doubtful].filter(isOtherSim), this.fromOtherSims);
      const ticked = sure.filter(({ preTicked }) => preTicked);
      for (const pair of ticked) this.#check(pair);
      const pairs = ticked.length > 0 ? ticked : this.#findUnconfirmed(sure);
      if (pairs.length === 0) return;
      const outcomes = await this.#approve(pairs.map(({ line, ticket }) => ({ lineId: line.id, ticketId: ticket.id })));
      if (outcomes.some((outcome) => outcome !== 'approved')) throw new Error(`not approved: ${outcomes}`);
    }
  }

  async #approve(pairs: readonly { lineId: number; ticketId: number }[]): Promise<string[]> {
    const path = '/api/admin/payments/approvals';
    const { results } = await this.#desk.ask<{ results: { outcome: string }[] }>('POST', path, { pairs });
    return results.map(({ outcome }) => outcome);
  }

  #truthOf({ line, ticket }: PaymentPair) {
    return [this.#lineOf.get(plainReference(line.reference)), this.#day.tickets[ticket.id - 1]] as const;
  }

  /** What tells no reference counts as right. */
  #note(pairs: readonly PaymentPair[], known: Map<number, boolean>): void {
    for (const pair of pairs)
      if (pair.line.reference === null || isRight(...this.#truthOf(pair)))
        known.set(pair.line.id, pair.preTicked || known.get(pair.line.id) === true);
  }

  #check(pair: PaymentPair): void {
    const [paid, meant] = this.#truthOf(pair);
    if (paid) this.ticked.add(paid.key);
    const faults = [...(paid?.faults ?? []), ...(meant?.faults ?? [])].join(', ');
    if (!isRight(paid, meant)) this.wrong.add(`${pair.rule}: line ${paid?.key} for ticket ${meant?.id} [${faults}]`);
  }

  /** The first SMS that follows from no confirmed one and is right: those after it follow from it. */
  #findUnconfirmed(sure: readonly PaymentPair[]): PaymentPair[] {
    return sure
      .filter((pair) => {
        const [paid, meant] = this.#truthOf(pair);
        const isUnconfirmed = pair.doubts.some((each) => each.includes('ne suit pas un paiement confirmé'));
        return isUnconfirmed && paid && !dayAccounts[paid.account].hasStatement && isRight(paid, meant);
      })
      .toSorted((a, b) => a.line.paidAt.localeCompare(b.line.paidAt))
      .slice(0, 1);
  }

  /** Looks up each SMS that follows from nothing: approves it for its request, ignores one that is false or pays none. */
  async #lookUp(at: number): Promise<void> {
    const odd = await this.#desk.query<{ id: number; account: AccountName; reference: string | null }>(
      `select l.id, a.label as account, l.reference from payment_lines l join payment_accounts a on a.id = l.account_id
       where ${dialect.sqlToQuery(followsFromNothing).sql} order by l.paid_at`,
    );
    for (const { id, reference } of odd.filter(({ account }) => !dayAccounts[account].hasStatement)) {
      const ticket = this.#lineOf.get(plainReference(reference))?.ticket;
      if (ticket && ticket.filedAt > at) continue;
      const [outcome] = ticket ? await this.#approve([{ lineId: id, ticketId: ticket.id }]) : [];
      if (outcome !== 'approved') await this.#desk.ask('POST', `/api/admin/payments/lines/${id}/ignore`, {});
    }
  }
}
