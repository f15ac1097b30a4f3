import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, connect } from '#server/database/connect.ts';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { sessionCookie } from '#server/features/sessions/session-cookie.ts';
import { type AccountName, accountNames, type Day, type DayTicket, dayAccounts } from './payment-day.ts';
import type { DayInput } from './payment-day-inputs.ts';

/** A running product on a data folder that stays. */
export interface DayProduct {
  url: string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown>;
}

/** Where a day takes place: how its product starts, again and again, and who its administrator is. */
export interface DayHost {
  folder: string;
  administrator: { phoneOrEmail: string; password: string };
  start(): Promise<DayProduct>;
}

interface Source {
  path: string;
  secret: string;
}

const sessionOf = (person: number) => createHash('sha256').update(`day:${person}`).digest('base64url');
const service = 'Commande';
const atOnce = 16;

/** Does work, again while it fails in this way. */
async function again<Value>(work: () => Promise<Value>, inThisWay: RegExp): Promise<Value> {
  for (let turn = 0; ; turn += 1)
    try {
      return await work();
    } catch (error) {
      if (turn > 600 || !inThisWay.test(String(error))) throw error;
      await pause(100);
    }
}

/** Does the work for each of a list, some at once, each begun in the list's order. */
export async function inParallel<Value>(
  list: readonly Value[],
  work: (value: Value) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < list.length) {
      const value = list[next] as Value;
      next += 1;
      await work(value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** A product whose operator has the day's wallets, whose people have ordered, and which is told the rest by calls. */
export class DayPlace {
  readonly #host: DayHost;
  #product: DayProduct | undefined;
  #connection: Connection | undefined;
  #cookie = '';
  readonly #ids = new Map<number, number>();
  readonly #keys = new Map<number, number>();
  #accounts = new Map<AccountName, { id: number; sms: Source; wave?: Source }>();
  #order: object = {};

  constructor(host: DayHost) {
    this.#host = host;
  }

  async start(): Promise<void> {
    this.#product = await this.#host.start();
    const { config } = await openEmbeddedDatabase(this.#host.folder);
    this.#connection = connect(config, () => {});
    const answer = await this.#fetch('POST', '/api/auth/signin', { body: this.#host.administrator });
    this.#cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#connection?.close();
    await this.#product?.end(signal);
  }

  get connection(): Connection {
    if (!this.#connection) throw new Error('not started');
    return this.#connection;
  }
  idOf = (ticket: number): number => this.#ids.get(ticket) ?? 0;
  keyOf = (ticketId: number): number | undefined => this.#keys.get(ticketId);

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.connection.pool.query<Row>(text, values)).rows;
  }

  async #fetch(method: string, path: string, { body, cookie = '', headers = {} }: Call): Promise<Response> {
    const url = path.startsWith('http') ? path : `${this.#product?.url}${path}`;
    const isForm = body instanceof FormData;
    const answer = await fetch(url, {
      method,
      headers: { cookie, ...(body && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: isForm ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path.slice(0, 60)}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** A call of the administrator's, again while the product is too busy. Throws what else than a success is answered. */
  async ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const call = () => this.#fetch(method, path, { cookie: this.#cookie, ...(body && { body }) });
    return (await (await again(call, / 503 /)).json()) as Body;
  }

  /** Wallets and their sources, people with their sessions, and the service that they order. */
  async prepare(day: Day): Promise<void> {
    const form = new FormData();
    form.set('data', JSON.stringify({ name: service, isFinalLevel: true, allowUserPriceInput: true }));
    const { id } = await this.ask<{ id: number }>('POST', '/api/services', form);
    for (const name of accountNames) {
      const { shape, isWave } = dayAccounts[name];
      const paymentType = await this.ask<{ id: number }>('POST', '/api/admin/payment-types', {
        name: `Portefeuille ${name}`,
      });
      const account = await this.ask<{ id: number }>('POST', '/api/admin/payments/accounts', {
        paymentTypeId: paymentType.id,
        country: shape.country,
        number: '1',
        label: name,
        allowedSenders: [shape.sender],
      });
      const open = async (kind: 'sms' | 'wave') => {
        const { address, secret = '' } = await this.ask<{ address: string; secret?: string }>(
          'POST',
          '/api/admin/payments/sources',
          { accountId: account.id, kind },
        );
        return { path: new URL(address).pathname, secret };
      };
      this.#accounts.set(name, { id: account.id, sms: await open('sms'), ...(isWave && { wave: await open('wave') }) });
    }
    this.#order = { serviceId: id, servicePath: [{ id }], paymentTypeName: 'Portefeuille orange' };
    const people = await this.query<{ id: number; phone: string }>(
      `insert into users (first_name, last_name, phone, password, is_verified, country_code)
       select 'Personne', 'du jour', phone, '-', true, left(phone, 4) from unnest($1::text[]) phone returning id, phone`,
      [day.people.map(({ phone }) => phone)],
    );
    const ids = new Map(people.map(({ id: own, phone }) => [phone, own]));
    await this.query(
      `insert into sessions (sid, user_id, expire)
       select sid, id, now() + interval '29 days' from unnest($1::text[], $2::int[]) as each (sid, id)`,
      [
        day.people.map(({ key }) => createHash('sha256').update(sessionOf(key)).digest('hex')),
        day.people.map(({ phone }) => ids.get(phone)),
      ],
    );
  }

  #as(ticket: DayTicket): { cookie: string } {
    return { cookie: `${sessionCookie}=${sessionOf(ticket.person.key)}` };
  }

  /** Files these orders, and moves them to their time of the day. */
  async file(tickets: readonly DayTicket[]): Promise<void> {
    await inParallel(tickets, async (ticket) => {
      const { total, key } = ticket;
      const order = {
        ...this.#order,
        beneficiaryPhoneNumber: '+22670123456',
        totalPrice: String(total),
        userPrice: total,
      };
      const headers = { 'idempotency-key': randomUUID() };
      const answer = await this.#fetch('POST', '/api/tickets', { ...this.#as(ticket), body: order, headers });
      const { id } = (await answer.json()) as { id: number };
      this.#ids.set(key, id);
      this.#keys.set(id, key);
    });
    await this.moveToTime(tickets);
  }

  async moveToTime(tickets: readonly DayTicket[]): Promise<void> {
    await this.query(
      `update tickets set created_at = to_timestamp(at / 1000.0) from unnest($1::int[], $2::float8[]) as each (id, at)
       where tickets.id = each.id`,
      [tickets.map(({ key }) => this.idOf(key)), tickets.map(({ filedAt }) => filedAt)],
    );
  }

  /** Nothing of payments is known, and no order is declared or decided. */
  async forget(): Promise<void> {
    await this.query('truncate payment_messages, payment_lines, payment_matches');
    await this.query(
      `update tickets set status = 'pending', payment_reference = null, payment_declared_at = null,
       earlier_references = '{}', payer_phone = null where status <> 'pending' or payment_declared_at is not null`,
    );
  }

  /** Tells the product one thing, again while it is away, as phones and wallets' servers do. */
  tell(day: Day, input: DayInput): Promise<void> {
    return again(() => this.#tellOnce(day, input), /^TypeError| 50[234] |calling end on the pool/);
  }

  async #tellOnce(day: Day, input: DayInput): Promise<void> {
    if (input.kind === 'declaration') return this.#declare(day, input);
    const account = this.#accounts.get(input.account);
    if (!account) throw new Error('no such account');
    if (input.kind === 'sms') await this.#fetch('POST', account.sms.path, { body: input.body });
    else if (input.kind === 'wave' && account.wave) {
      const body = JSON.stringify(input.body);
      const time = Math.floor(Date.now() / 1_000);
      const mark = createHmac('sha256', account.wave.secret).update(`${time}${body}`).digest('hex');
      await this.#fetch('POST', account.wave.path, { body, headers: { 'wave-signature': `t=${time},v1=${mark}` } });
    } else if (input.kind === 'statement') await this.#importStatement(input.account, input.file);
  }

  async #importStatement(account: AccountName, file: string): Promise<void> {
    const form = new FormData();
    form.set('accountId', String(this.#accounts.get(account)?.id));
    form.set('dryRun', 'false');
    form.set('file', new File([file], 'releve.csv', { type: 'text/csv' }));
    const { faults } = await this.ask<{ faults: object[] }>('POST', '/api/admin/payments/imports', form);
    if (faults.length > 0) throw new Error(`rows of the statement are not read: ${JSON.stringify(faults[0])}`);
  }

  async #declare(day: Day, { ticket: key, body, at }: DayInput & { kind: 'declaration' }): Promise<void> {
    const ticket = day.tickets[key - 1] as DayTicket;
    const path = `/api/tickets/${this.idOf(key)}/payment-declaration`;
    try {
      await this.#fetch('POST', path, { ...this.#as(ticket), body });
    } catch (error) {
      // An administrator was quicker.
      if (!String(error).includes('TICKET_DECIDED')) throw error;
    }
    await this.query(
      'update tickets set payment_declared_at = to_timestamp($2 / 1000.0) where id = $1 and payment_declared_at is not null',
      [this.idOf(key), at],
    );
  }

  /** Until so many payments are known. */
  untilLines(count: number): Promise<void> {
    return this.#until(`(select count(*) from payment_lines) >= ${count}`);
  }

  /** Until every message that came in is read. */
  settle(): Promise<void> {
    return this.#until("not exists (select from payment_messages where state = 'waiting')");
  }

  async #until(condition: string): Promise<void> {
    for (const until = Date.now() + 600_000; Date.now() < until; await pause(20)) {
      const [row] = await this.query<{ holds: boolean }>(`select ${condition} as holds`);
      if (row?.holds) return;
    }
    throw new Error(`never: ${condition}`);
  }
}

interface Call {
  body?: object | string;
  cookie?: string;
  headers?: Record<string, string>;
}
