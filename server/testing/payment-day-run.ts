import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Connection, connect } from '#server/database/connect.ts';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { matchLimits } from '#server/features/payments/matching/limits.ts';
import {
  type AccountName,
  accountNames,
  type Day,
  type DayInput,
  type DayTicket,
  dayAccounts,
  makeDay,
  plainLines,
} from './payment-day.ts';
import { DayClerk } from './payment-day-clerk.ts';
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
    for (const name of accountNames) {
      const { shape, wallet } = dayAccounts[name];
      const type = () => this.ask<{ id: number }>('POST', '/api/admin/payment-types', { name: `${wallet} du jour` });
      const paymentTypeId = this.#wallets.get(wallet) ?? (await type()).id;
      this.#wallets.set(wallet, paymentTypeId);
      const account = {
        paymentTypeId,
        country: shape.country,
        number: '1',
        label: name,
        allowedSenders: [shape.sender],
      };
      const { id } = await this.ask<{ id: number }>('POST', '/api/admin/payments/accounts', account);
      const open = (kind: 'sms' | 'wave') =>
        this.ask<{ address: string; secret: string }>('POST', '/api/admin/payments/sources', { accountId: id, kind });
      const [sms, wave] = [await open('sms'), await open('wave')];
      const [smsPath, wavePath] = [sms, wave].map(({ address }) => new URL(address).pathname) as [string, string];
      this.#accounts.set(name, { id, sms: smsPath, wave: wavePath, secret: wave.secret });
    }
    await this.query(
      `insert into users (first_name, last_name, phone, password, is_verified, country_code)
       select 'Personne', 'du jour', phone, '-', true, left(phone, 4) from unnest($1::text[]) phone`,
      [[...new Set(tickets.map(({ phone }) => phone))]],
    );
  }

  /** Files these orders under their numbers; those that are declared by then say so. */
  async file(tickets: readonly DayTicket[]): Promise<void> {
    await this.query(
      `insert into tickets (id, user_id, payment_type_id, payment_type_name, amount, commission, total_price, service_path,
         beneficiary_phone_number, fingerprint, created_at)
       overriding system value
       select t.id, u.id, p.id, p.name, total, 0, total::text, '[{"id": 1, "name": "Commande", "price": "Libre", "level": 1}]', '+22670123456',
         md5(t.id::text), to_timestamp("filedAt" / 1000.0)
       from jsonb_to_recordset($1) as t (id int, "paymentTypeId" int, phone text, total int, "filedAt" float8)
       join users u on u.phone = t.phone join payment_types p on p.id = "paymentTypeId"`,
      [JSON.stringify(tickets.map((each) => ({ ...each, paymentTypeId: this.#wallets.get(each.wallet) })))],
    );
  }

  async declare(tickets: readonly DayTicket[]): Promise<void> {
    await this.query(
      `update tickets set payment_reference = upper(regexp_replace(d.reference, '\\s', '', 'g')), payer_phone = d."payerPhone",
         payment_declared_at = to_timestamp(d."declaredAt" / 1000.0)
       from jsonb_to_recordset($1) as d (id int, reference text, "payerPhone" text, "declaredAt" float8) where tickets.id = d.id`,
      [JSON.stringify(tickets.filter(({ declaredAt }) => declaredAt !== null))],
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

  async #tellOnce({ kind, account: name, body }: DayInput): Promise<void> {
    const account = this.#accounts.get(name);
    if (!account) throw new Error(`no account ${name}`);
    if (kind === 'sms') await this.#fetch('POST', account.sms, body);
    else if (kind === 'wave')
      await this.#fetch('POST', account.wave, body, { 'wave-signature': waveMark(account.secret, body) });
    else {
      const form = new FormData();
      form.set('accountId', String(account.id));
      form.set('dryRun', 'false');
      form.set('file', new File([body], 'releve.csv', { type: 'text/csv' }));
      const answer = await this.#fetch('POST', '/api/admin/payments/imports', form);
      const { faults } = (await answer.json()) as { faults: object[] };
      if (faults.length > 0) throw new Error(`rows of the statement are not read: ${JSON.stringify(faults[0])}`);
    }
  }

  /** Until the condition, SQL, holds. */
  async until(condition: string): Promise<void> {
    for (const end = Date.now() + 600_000; Date.now() < end; await pause(20)) {
      const [row] = await this.query<{ holds: boolean }>(`select ${condition} as holds`);
      if (row?.holds) return;
    }
    throw new Error(`never: ${condition}`);
  }
}

export const dayWays = ['twice', 'killed'] as const;
type DayWay = (typeof dayWays)[number];

export interface DayFound {
  tickets: number;
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
  /** Of the right pairs by a reference from a number of nobody's, also where another request may have been meant, the share that was ticked. */
  tickedOfOtherSims: number;
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
  let from = 0;
  for (let slot = 1; slot <= slots; slot += 1) {
    const to = slot === slots ? now : first + (slot / slots) * (now - first);
    const isNow = (at: number | null) => at !== null && at > from && at <= to;
    await place.file(day.tickets.filter(({ filedAt }) => isNow(filedAt)));
    await place.declare(day.tickets.filter(({ declaredAt }) => isNow(declaredAt)));
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
  const tickedOfOtherSims = shareOf([...clerk.fromOtherSims.values()]);
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
      await place.until(`(select count(*) from payment_lines) >= ${day.lines.length / 2}`);
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
  return {
    tickets: count,
    lines: day.lines.length,
    sharing,
    wrong: [...clerk.wrong],
    tickedLines,
    ticked,
    tickedOfCertain,
    tickedOfOtherSims,
    differences,
  };
}
