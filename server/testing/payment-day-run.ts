import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { PaymentPair } from '#contract/payments.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { dialect } from '#server/database/rows.ts';
import { followsFromNothing } from '#server/features/payments/intake/balances.ts';
import { matchLimits } from '#server/features/payments/matching/limits.ts';
import {
  type AccountName,
  accountNames,
  type Day,
  type DayInput,
  type DayLine,
  type DayTicket,
  dayAccounts,
  isRight,
  makeDay,
  plainLines,
} from './payment-day.ts';
import { Dice } from './payment-sms.ts';
import { waveMark } from './wave-event.ts';

/** Where a day takes place: how its product starts on a data folder, again and again, and who its administrator is. */
export interface DayHost {
  folder: string;
  administrator: { phoneOrEmail: string; password: string };
  start(): Promise<{ url: string; end(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown> }>;
}

/** A product whose operator has the day's wallets, and which is told of the day by calls. */
class DayPlace {
  readonly #host: DayHost;
  #product: Awaited<ReturnType<DayHost['start']>> | undefined;
  #connection: Connection | undefined;
  #cookie = '';
  /** Payment types by their wallet. */
  readonly #wallets = new Map<string, number>();
  readonly #accounts = new Map<AccountName, { id: number; sms: string; wave: string; secret: string }>();

  constructor(host: DayHost) {
    this.#host = host;
  }

  async start(): Promise<void> {
    this.#product = await this.#host.start();
    const { config } = await openEmbeddedDatabase(this.#host.folder);
    this.#connection = connect(config, () => {});
    // Its session outlives the process; another sign-in would end it while a statement is sent again.
    if (this.#cookie) return;
    const answer = await this.#fetch('POST', '/api/auth/signin', JSON.stringify(this.#host.administrator));
    this.#cookie = answer.headers.getSetCookie().join('; ').replace(/;.*/, '');
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#connection?.close();
    await this.#product?.end(signal);
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await (this.#connection as Connection).pool.query(text, values)).rows;
  }

  async #fetch(method: string, path: string, body?: string | FormData, headers: object = {}): Promise<Response> {
    const json = typeof body === 'string' && { 'content-type': 'application/json' };
    const init = { method, headers: { cookie: this.#cookie, ...json, ...headers }, ...(body && { body }) };
    const answer = await fetch(`${this.#product?.url}${path}`, init);
    if (!answer.ok) throw new Error(`${method} ${path.slice(0, 60)}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** A call of the administrator's. Throws what else than a success is answered. */
  async ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    return (await (await this.#fetch(method, path, body && JSON.stringify(body))).json()) as Body;
  }

  /** Wallets with their sources, and the people who order. */
  async prepare({ tickets }: Day): Promise<void> {
    const make = (kind: string, body: object) =>
      this.ask<{ id: number; address: string; secret: string }>('POST', `/api/admin/${kind}`, body);
    for (const label of accountNames) {
      const { shape, wallet } = dayAccounts[label];
      const paymentTypeId =
        this.#wallets.get(wallet) ?? (await make('payment-types', { name: `${wallet} du jour` })).id;
      this.#wallets.set(wallet, paymentTypeId);
      const account = { paymentTypeId, country: shape.country, number: '1', label, allowedSenders: [shape.sender] };
      const { id } = await make('payments/accounts', account);
      const open = async (kind: 'sms' | 'wave') => {
        const { address, secret } = await make('payments/sources', { accountId: id, kind });
        return { path: new URL(address).pathname, secret };
      };
      const [sms, wave] = [await open('sms'), await open('wave')];
      this.#accounts.set(label, { id, sms: sms.path, wave: wave.path, secret: wave.secret });
    }
    await this.query(
      `insert into users (first_name, last_name, phone, password, is_verified, country_code)
       select 'Personne', 'du jour', phone, '-', true, left(phone, 4) from unnest($1::text[]) phone`,
      [[...new Set(tickets.map(({ phone }) => phone))]],
    );
  }

  /** These orders as they are at a time of the day: under their numbers, and declared if they are by then. */
  async file(tickets: readonly DayTicket[], at: number): Promise<void> {
    const rows = tickets.map(({ wallet, declaredAt, reference, payerPhone, ...each }) => ({
      ...each,
      paymentTypeId: this.#wallets.get(wallet),
      ...(declaredAt !== null && declaredAt <= at && { declaredAt, reference, payerPhone }),
    }));
    await this.query(
      `insert into tickets (id, user_id, payment_type_id, payment_type_name, amount, commission, total_price, service_path,
         beneficiary_phone_number, fingerprint, created_at, payment_reference, payer_phone, payment_declared_at)
       overriding system value
       select t.id, u.id, p.id, p.name, total, 0, total::text, '[{"id": 1, "name": "Commande", "price": "Libre", "level": 1}]',
         '+22670123456', md5(t.id::text), to_timestamp("filedAt" / 1000.0), upper(regexp_replace(reference, '\\s', '', 'g')),
         "payerPhone", to_timestamp("declaredAt" / 1000.0)
       from jsonb_to_recordset($1) as t (id int, "paymentTypeId" int, phone text, total int, "filedAt" float8, reference text,
         "payerPhone" text, "declaredAt" float8)
       join users u on u.phone = t.phone join payment_types p on p.id = "paymentTypeId"
       on conflict (id) do update set payment_reference = excluded.payment_reference, payer_phone = excluded.payer_phone,
         payment_declared_at = excluded.payment_declared_at`,
      [JSON.stringify(rows)],
    );
  }

  /** Tells the product of these, each again while it is away, as phones and wallets' servers do. */
  async tell(inputs: readonly DayInput[]): Promise<void> {
    await pLimit(16).map(inputs, async (input) => {
      for (let turn = 0; ; turn += 1)
        try {
          return await this.#tellOnce(input);
        } catch (error) {
          if (turn > 600 || !/^TypeError| 50[234] /.test(String(error))) throw error;
          await pause(100);
        }
    });
  }

  async #tellOnce({ kind, account: name, body }: DayInput): Promise<unknown> {
    const { id, sms, wave, secret } = this.#accounts.get(name) ?? { id: 0, sms: '', wave: '', secret: '' };
    if (kind === 'sms') return this.#fetch('POST', sms, body);
    if (kind === 'wave') return this.#fetch('POST', wave, body, { 'wave-signature': waveMark(secret, body) });
    const form = new FormData();
    form.set('accountId', String(id));
    form.set('dryRun', 'false');
    form.set('file', new File([body], 'releve.csv', { type: 'text/csv' }));
    const { faults } = (await (await this.#fetch('POST', '/api/admin/payments/imports', form)).json()) as {
      faults: object[];
    };
    if (faults.length > 0) throw new Error(`rows of the statement are not read: ${JSON.stringify(faults[0])}`);
  }
}

/**
 * An administrator who approves what is ticked, and what else they look up in a wallet that has no statement: an SMS whose balance
 * follows from nothing confirmed. Their eyes are the day's own truth.
 */
class DayClerk {
  readonly #place: DayPlace;
  readonly #day: Day;
  readonly #lineOf: ReadonlyMap<string | null, DayLine>;
  /** Ticked pairs that the payer did not mean, in words. */
  readonly wrong = new Set<string>();
  /** Keys of the day's lines that were ever ticked. */
  readonly ticked = new Set<number>();
  /** Right pairs that were ever certain (R0 to R2): by the line's id, whether they were ticked. What tells no reference counts as right. */
  readonly certain = new Map<number, boolean>();

  constructor(place: DayPlace, day: Day) {
    this.#place = place;
    this.#day = day;
    this.#lineOf = new Map(day.lines.map((line) => [plainReference(line.reference), line]));
  }

  /** Decides what waits at a time of the day, until nothing is left that is ticked or looked up. */
  async work(at: number): Promise<void> {
    await this.#lookUp(at);
    for (;;) {
      const { sure } = await this.#place.ask<{ sure: PaymentPair[] }>('GET', '/api/admin/payments/proposals');
      const judged = sure.map((pair) => {
        const [paid, meant] = [
          this.#lineOf.get(plainReference(pair.line.reference)),
          this.#day.tickets[pair.ticket.id - 1],
        ];
        return { pair, paid, meant, right: isRight(paid, meant) };
      });
      for (const { pair, right } of judged)
        if (right || pair.line.reference === null)
          this.certain.set(pair.line.id, pair.preTicked || this.certain.get(pair.line.id) === true);
      const ticked = judged.filter(({ pair }) => pair.preTicked);
      for (const { pair, paid, meant, right } of ticked) {
        if (paid) this.ticked.add(paid.key);
        const faults = [...(paid?.faults ?? []), ...(meant?.faults ?? [])].join(', ');
        if (!right) this.wrong.add(`${pair.rule}: line ${paid?.key} for ticket ${meant?.id} [${faults}]`);
      }
      // The first SMS that follows from no confirmed one and is right: those after it follow from it.
      const unconfirmed = judged
        .filter(
          ({ pair, paid, right }) =>
            right &&
            paid &&
            !dayAccounts[paid.account].hasStatement &&
            pair.doubts.some((each) => each.includes('ne suit pas un paiement confirmé')),
        )
        .toSorted((a, b) => a.pair.line.paidAt.localeCompare(b.pair.line.paidAt));
      const next = ticked.length > 0 ? ticked : unconfirmed.slice(0, 1);
      if (next.length === 0) return;
      const outcomes = await this.#approve(
        next.map(({ pair }) => ({ lineId: pair.line.id, ticketId: pair.ticket.id })),
      );
      if (outcomes.some((outcome) => outcome !== 'approved')) throw new Error(`not approved: ${outcomes}`);
    }
  }

  async #approve(pairs: readonly { lineId: number; ticketId: number }[]): Promise<string[]> {
    const path = '/api/admin/payments/approvals';
    const { results } = await this.#place.ask<{ results: { outcome: string }[] }>('POST', path, { pairs });
    return results.map(({ outcome }) => outcome);
  }

  /** Looks up each SMS that follows from nothing: approves it for its request, ignores one that is false or pays none. */
  async #lookUp(at: number): Promise<void> {
    const odd = await this.#place.query<{ id: number; account: AccountName; reference: string | null }>(
      `select l.id, a.label as account, l.reference from payment_lines l join payment_accounts a on a.id = l.account_id
       where ${dialect.sqlToQuery(followsFromNothing).sql} order by l.paid_at`,
    );
    for (const { id, reference } of odd.filter(({ account }) => !dayAccounts[account].hasStatement)) {
      const ticket = this.#lineOf.get(plainReference(reference))?.ticket;
      if (ticket && ticket.filedAt > at) continue;
      const [outcome] = ticket ? await this.#approve([{ lineId: id, ticketId: ticket.id }]) : [];
      if (outcome !== 'approved') await this.#place.ask('POST', `/api/admin/payments/lines/${id}/ignore`, {});
    }
  }
}

export const dayWays = ['twice', 'killed'] as const;
type DayWay = (typeof dayWays)[number];

export interface DayFound {
  lines: number;
  /** Of the tickets, the share with an amount that another one has. */
  sharing: number;
  /** Lines that were ever ticked. */
  tickedLines: number;
  /** Ticked pairs that the payer did not mean, in words. */
  wrong: string[];
  /** Of the pairs that nothing is wrong with, the share that was ticked. */
  ticked: number;
  /** Of the right pairs that were ever certain (R0 to R2), those by an SMS alone included, the share that was ticked. */
  tickedOfCertain: number;
  /** What is otherwise in the end than where everything is told in its order, by each other way. */
  differences: Record<DayWay, string[]>;
}

/**
 * A day of so many tickets in its own order, in slots of time, after each of which an administrator decides what was paid by some
 * minutes before. Then the same day with everything told at once: in order, and out of order in each other way, twice or with
 * the process killed in the middle.
 */
export async function liveDay(host: DayHost, seed: number, count: number, slots: number): Promise<DayFound> {
  // What was paid a moment ago is not ticked yet: everything here was paid before.
  const now = Math.floor(Date.now() / 60_000) * 60_000 - matchLimits.payerBeforeMs;
  const day = makeDay(seed, count, now);
  const place = new DayPlace(host);
  const clerk = new DayClerk(place, day);
  const isTold = new Set<DayInput>();

  await place.start();
  await place.prepare(day);
  const first = Math.min(...day.tickets.map(({ filedAt }) => filedAt));
  for (let slot = 1, from = 0; slot <= slots; slot += 1) {
    const to = slot === slots ? now : first + (slot / slots) * (now - first);
    const isNow = (at: number | null) => at !== null && at > from && at <= to;
    await place.file(
      day.tickets.filter(({ filedAt, declaredAt }) => isNow(filedAt) || isNow(declaredAt)),
      to,
    );
    const isOld = ({ at }: DayInput) => slot === slots || at <= to - matchLimits.payerBeforeMs;
    const told = day.inputs.filter((each) => !isTold.has(each) && isOld(each));
    for (const each of told) isTold.add(each);
    await place.tell(told);
    await clerk.work(to);
    from = to;
  }
  const shareOf = (those: readonly boolean[]) => those.filter(Boolean).length / those.length;
  const ticked = shareOf(plainLines(day).map(({ key }) => clerk.ticked.has(key)));
  const tickedOfCertain = shareOf([...clerk.certain.values()]);
  const tickedLines = clerk.ticked.size;

  const endOf = async (way?: DayWay): Promise<string[]> => {
    await place.query(
      "truncate payment_messages, payment_lines, payment_matches; update tickets set status = 'pending'",
    );
    const dice = new Dice(seed);
    if (way === 'twice') await place.tell(dice.shuffle([...day.inputs, ...day.inputs]));
    else if (way === 'killed') {
      // What is under way when it dies is told again to the next one.
      const all = place.tell(dice.shuffle(day.inputs));
      const half = `select count(*) >= ${day.lines.length / 2} as holds from payment_lines`;
      while (!(await place.query<{ holds: boolean }>(half))[0]?.holds) await pause(20);
      await place.end('SIGKILL');
      await place.start();
      await all;
    } else await place.tell(day.inputs);
    await clerk.work(now);
    const ends = await place.query<{ line: string }>(
      `select json_build_array(a.label, l.direction, l.state, l.gross, l.reference, l.our_reference, l.payer, l.paid_at,
         l.balance_after, l.seen_in, l.is_trusted, l.anomaly, m.ticket_id, m.rule)::text as line
       from payment_lines l join payment_accounts a on a.id = l.account_id
       left join payment_matches m on m.line_id = l.id and m.undone_at is null`,
    );
    return ends.map(({ line }) => line).toSorted();
  };
  const usual = await endOf();
  const differences: DayFound['differences'] = { twice: [], killed: [] };
  for (const way of dayWays) {
    const end = await endOf(way);
    const [one, other] = [new Set(usual), new Set(end)];
    differences[way] = [...usual.filter((line) => !other.has(line)), ...end.filter((line) => !one.has(line))];
    if (end.length !== usual.length) differences[way].push(`${end.length} lines, and ${usual.length} in order`);
  }
  await place.end('SIGTERM');
  const amounts = Map.groupBy(day.tickets, ({ total }) => total);
  const sharing = day.tickets.filter(({ total }) => (amounts.get(total)?.length ?? 0) > 1).length / count;
  const lines = day.lines.length;
  return { lines, sharing, wrong: [...clerk.wrong], tickedLines, ticked, tickedOfCertain, differences };
}
