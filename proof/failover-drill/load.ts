import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { cookieOf, idsOf, type Order, type People } from '../bench/people.ts';

/** A client waits so long for an answer. */
const answerMs = 10_000;

interface Filed {
  id: number;
  /** When the person pressed the button, and when they had their ticket. */
  askedAt: number;
  at: number;
}

interface Caller {
  url: string;
  people: People;
  order: Order;
}

/** What came of a call: its status, or what broke. */
type Outcome = { status: number; id?: number; fault?: Fault } | { broke: string };

/** An answer that is the product's own fault: a 500, by the id under which its log has it. */
export interface Fault {
  requestId: string;
}

/**
 * After an outage thousands wait at once. So many are on their way, and the others wait here for their turn: in an agent's own
 * queue their time would run out before they were sent. Fetch's pool looks at each of its connections for each call.
 */
const onTheirWay = pLimit(400);
const agent = new http.Agent({ keepAlive: true });

function call(url: string, cookie: string, body?: object, key?: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = http.request(url, {
      agent,
      method: body ? 'POST' : 'GET',
      headers: {
        cookie: `guichet_session=${cookie}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      signal: AbortSignal.timeout(answerMs),
    });
    const fail = (error: NodeJS.ErrnoException) => resolve({ broke: error.code ?? error.message });
    request.once('error', fail).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', fail).once('end', () => {
        const status = response.statusCode ?? 0;
        resolve({
          status,
          ...(status === 201 && { id: (JSON.parse(text) as { id: number }).id }),
          ...(status === 500 && { fault: JSON.parse(text) as Fault }),
        });
      });
    });
    request.end(body && JSON.stringify(body));
  });
}

/** Between two tries: longer each time, up to the five seconds that the product asks for, and for nobody the same. */
const pauseMs = (tries: number) => Math.min(5_000, 500 * 2 ** tries) * (0.5 + Math.random());

/** So many a second by schedule, whatever becomes of those before. */
function bySchedule(perSecond: number, one: (turn: number) => Promise<void>): () => Promise<void> {
  const under = new Set<Promise<void>>();
  const since = performance.now();
  let turn = 0;
  const timer = setInterval(() => {
    for (; turn < ((performance.now() - since) * perSecond) / 1_000; turn += 1) {
      const doing = one(turn).finally(() => under.delete(doing));
      under.add(doing);
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    await Promise.all(under);
  };
}

/** People who file tickets, each with a key of its own that is sent until the ticket is acknowledged. */
export class TicketLoad {
  readonly filed: Filed[] = [];
  /** Answers that acknowledged nothing, by status or by what broke. */
  readonly refused: Record<string, number> = {};
  readonly faults: Fault[] = [];
  readonly #stop: () => Promise<void>;
  #waiting = 0;

  constructor({ url, people, order }: Caller, perSecond: number) {
    const ids = idsOf(people);
    this.#stop = bySchedule(perSecond, async (turn) => {
      const userId = ids[turn % ids.length] ?? 0;
      const [key, cookie, askedAt] = [randomUUID(), cookieOf(userId), performance.now()];
      this.#waiting += 1;
      for (let tries = 1; ; tries += 1) {
        const outcome = await onTheirWay(() => call(`${url}/api/tickets`, cookie, { ...order, userId }, key));
        if ('status' in outcome && outcome.id !== undefined) {
          this.filed.push({ id: outcome.id, askedAt, at: performance.now() });
          break;
        }
        const what = 'status' in outcome ? String(outcome.status) : outcome.broke;
        this.refused[what] = (this.refused[what] ?? 0) + 1;
        if ('status' in outcome && outcome.fault) this.faults.push(outcome.fault);
        await pause(pauseMs(tries));
      }
      this.#waiting -= 1;
    });
  }

  /** Those whose ticket is not acknowledged yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Until those who wait are no more than usual: whoever came during an outage has their ticket. On a machine that is too busy
   * to make up for it, until a minute of tickets.
   */
  async untilSteady(): Promise<void> {
    for (const since = performance.now(); ; ) {
      const before = this.filed.length;
      await pause(1_000);
      if (this.filed.length > before && (this.#waiting < 30 || performance.now() - since > 60_000)) return;
    }
  }

  /** Of what was asked or acknowledged from an instant on: the longest time without a ticket, and for which somebody waited. */
  since(from: number): { silence: number; wait: number } {
    const later = this.filed.filter(({ at }) => at >= from);
    const times = later.map(({ at }) => at).sort((a, b) => a - b);
    const gaps = times.map((at, index) => at - (times[index - 1] ?? from));
    return { silence: Math.max(...gaps), wait: Math.max(...later.map(({ at, askedAt }) => at - askedAt)) };
  }

  /** No more new ones; resolves when everybody has their ticket. */
  stop(): Promise<void> {
    return this.#stop();
  }
}

export interface Calls {
  done: number;
  failed: Record<string, number>;
  /** Tickets of calls that were acknowledged. */
  tickets: number[];
  /** Tickets of calls that failed, and that the same key got when it was sent again. */
  repeated: number[];
}

/** People who read their tickets, and one in ten who files one; each call is made once, and what fails is counted. */
export function startCalls({ url, people, order }: Caller, perSecond: number): () => Promise<Calls> {
  const ids = idsOf(people);
  const calls: Calls = { done: 0, failed: {}, tickets: [], repeated: [] };
  const stop = bySchedule(perSecond, async (turn) => {
    const userId = ids[turn % ids.length] ?? 0;
    const cookie = cookieOf(userId);
    const key = turn % 10 === 0 ? randomUUID() : undefined;
    const ask = () =>
      key === undefined
        ? call(`${url}/api/tickets/user/${userId}`, cookie)
        : call(`${url}/api/tickets`, cookie, { ...order, userId }, key);
    const outcome = await ask();
    if ('status' in outcome && outcome.status < 300) {
      calls.done += 1;
      if (outcome.id !== undefined) calls.tickets.push(outcome.id);
      return;
    }
    const what = `${key ? 'POST' : 'GET'} ${'status' in outcome ? outcome.status : outcome.broke}`;
    calls.failed[what] = (calls.failed[what] ?? 0) + 1;
    for (;;) {
      await pause(500);
      const again = await ask();
      if (!('status' in again) || again.status >= 300) continue;
      if (again.id !== undefined) calls.repeated.push(again.id);
      return;
    }
  });
  return async () => {
    await stop();
    return calls;
  };
}
