import path from 'node:path';
import { cpuSeconds, type Ends, type Generator, startChild, startGenerator, watchMemory } from './children.ts';
import { figure, median, medianRatio, type Rows, readNumbers, round } from './figures.ts';
import type { Outcome } from './generator.ts';
import type { Ready } from './peers/bare-fastify.ts';
import { cookieOf, expressCookieOf, headOf, openWithPeople, ordersOf, startExpress } from './people.ts';
import { callAsAdministrator, type OpenProduct } from './product.ts';

const connections = 32;
/** The lists that an open screen polls, and how often (P23.1), in seconds. */
const lists = {
  tickets: { every: 5, path: (id: number) => `/api/tickets/user/${id}` },
  notifications: { every: 10, path: (id: number) => `/api/notifications/user/${id}` },
  unread: { every: 30, path: (id: number) => `/api/notifications/user/${id}/unread-count` },
};

/**
 * What a poll costs: an idle one beside a bare Fastify that has its 304 ready and beside express, one after a change beside
 * express (32 connections, one process each, by turns in short rounds), and then thirty thousand people by schedule.
 * `--rounds`, `--people` and `--seconds` make it smaller.
 */
export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const { rounds, people, seconds } = readNumbers(args, { rounds: 7, people: 30_000, seconds: 40 });
  return { ...(await besidePeers(ends, rounds)), ...(await manyPeople(ends, people, seconds)) };
}

async function besidePeers(ends: Ends, rounds: number): Promise<Rows> {
  const { product, ids } = await openWithPeople(ends, 2_001, 2_001);
  const [idler = 0, ...others] = ids;
  const servers = {
    bare: await startBareFastify(ends, product, idler),
    express: await startExpress(ends, product, ids),
    product: { port: product.port, pid: product.pid },
  };
  const generator = startGenerator(ends);
  for (const [name, { port }] of Object.entries(servers)) {
    const cookie = name === 'express' ? expressCookieOf : cookieOf;
    const target = (id: number) => ({ head: headOf('GET', lists.tickets.path(id), cookie(id)) });
    generator.load({ set: `${name} idle`, port, conditional: true, targets: [target(idler)] });
    generator.load({ set: `${name} after a change`, port, conditional: true, targets: others.map(target) });
  }
  /** Of each round: answers a second, and microseconds of the server's processor for each. */
  const found: Record<string, { perSecond: number[]; cpu: number[]; answers: string }> = {};
  const time = async (name: keyof typeof servers, kind: string, isCounted: boolean, forMs?: number) => {
    const { pid } = servers[name];
    const before = cpuSeconds(pid);
    const { answered, perSecond, by } = await generator.closed({ set: `${name} ${kind}`, connections, forMs });
    if (!isCounted) return;
    found[`${name}, ${kind}`] ??= { perSecond: [], cpu: [], answers: JSON.stringify(by) };
    found[`${name}, ${kind}`]?.perSecond.push(perSecond);
    found[`${name}, ${kind}`]?.cpu.push((1e6 * (cpuSeconds(pid) - before)) / answered);
  };
  // The first rounds warm each up, and bring the ETags.
  for (let turn = -1; turn < rounds; turn += 1)
    for (const name of ['bare', 'express', 'product'] as const) await time(name, 'idle', turn >= 0, 2_000);
  for (let turn = -8; turn < rounds; turn += 1) {
    await changeAll(product, others);
    for (const name of ['express', 'product'] as const) await time(name, 'after a change', turn >= 0);
  }
  const ratio = (kind: string, peer: string, atLeast: number) => {
    const [own, other] = [found[`product, ${kind}`], found[`${peer}, ${kind}`]];
    const byCpu = medianRatio(other?.cpu ?? [], own?.cpu ?? []);
    return figure(
      medianRatio(own?.perSecond ?? [], other?.perSecond ?? []),
      { atLeast },
      { 'by CPU time': round(byCpu) },
    );
  };
  const rates = Object.entries(found).map(([name, { perSecond, cpu, answers }]) => [
    `polls/s: ${name}`,
    figure(median(perSecond), undefined, { 'CPU µs each': round(median(cpu)), answers }),
  ]);
  return {
    'idle poll ÷ bare Fastify 304': ratio('idle', 'bare', 0.8),
    'idle poll ÷ express': ratio('idle', 'express', 40),
    'poll after a change ÷ express': ratio('after a change', 'express', 3),
    ...Object.fromEntries(rates),
  };
}

/** A bare Fastify with the product's own answer to an idle poll. */
async function startBareFastify(ends: Ends, { url }: OpenProduct, id: number) {
  const ask = (more: Record<string, string> = {}) =>
    fetch(url + lists.tickets.path(id), { headers: { cookie: cookieOf(id), ...more } });
  const whole = await ask();
  const etag = whole.headers.get('etag') ?? '';
  const headers = Object.fromEntries((await ask({ 'if-none-match': etag })).headers);
  // Node writes these itself.
  for (const name of ['date', 'connection', 'keep-alive']) delete headers[name];
  const child = startChild(ends, path.join(import.meta.dirname, 'peers/bare-fastify.ts'));
  child.send({ etag, headers, body: await whole.text() } satisfies Ready);
  return { ...(await child.hear<{ port: number }>()), pid: child.pid };
}

/** Changes a ticket of each person in one transaction, and waits until the product answers so. */
async function changeAll({ pool, url }: OpenProduct, ids: number[]): Promise<void> {
  const { rows } = await pool.query<{ id: number; at: Date }>(
    `update tickets set updated_at = date_trunc('milliseconds', clock_timestamp())
     where id in (select max(id) from tickets where user_id = any($1) group by user_id) returning user_id as id, updated_at as at`,
    [ids],
  );
  const [changed] = rows;
  if (!changed || rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} changed`);
  for (;;) {
    const answer = await fetch(url + lists.tickets.path(changed.id), { headers: { cookie: cookieOf(changed.id) } });
    const [newest] = (await answer.json()) as { updatedAt: string }[];
    if (newest && Date.parse(newest.updatedAt) >= changed.at.getTime()) return;
  }
}

/** Everybody polls their three lists at the product's periods, one in ten with twenty tickets, beside twenty writes a second. */
async function manyPeople(ends: Ends, count: number, seconds: number): Promise<Rows> {
  const { product, ids } = await openWithPeople(ends, count, Math.ceil(count / 10));
  const generator = startGenerator(ends);
  for (const [set, list] of Object.entries(lists)) {
    const targets = ids.map((id) => ({ head: headOf('GET', list.path(id), cookieOf(id)) }));
    generator.load({ set, port: product.port, conditional: true, targets });
    // Once each; with more at once calls would be shed, as after an outage.
    await generator.closed({ set, connections: 64 });
  }
  const writer = await loadWrites(ends, product, ids);
  const memory = watchMemory(product.pid);
  const before = cpuSeconds(product.pid);
  const streams = Object.entries(lists).map(([set, { every }]) => ({ set, perSecond: count / every }));
  const writes = ['orders', 'decisions'].map((set) => ({ set, perSecond: 10 }));
  const [polled, written] = await Promise.all([
    generator.open({ streams, connections: 256, forMs: seconds * 1_000 }),
    writer.open({ streams: writes, connections: 32, forMs: seconds * 1_000 }),
  ]);
  const wanted = streams.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const failed = [polled, written].reduce((sum, each) => sum + failures(each), 0);
  return {
    [`polls/s of ${Math.round(wanted)} due`]: figure(
      polled.perSecond,
      { atLeast: wanted * 0.97 },
      { answers: JSON.stringify(polled.by), generator: round(polled.cpuSeconds / polled.seconds) },
    ),
    'p50 of a poll (ms)': figure(polled.latencies.p50),
    'p99 of a poll (ms)': figure(polled.latencies.p99, { below: 50 }, { longest: round(polled.latencies.longest) }),
    'failed or unanswered': figure(failed, { below: 1 }),
    'writes/s': figure(written.perSecond, undefined, { answers: JSON.stringify(written.by) }),
    'server (share of a core)': figure((cpuSeconds(product.pid) - before) / polled.seconds),
    'resident memory at most (MB)': figure(memory(), { below: 400 }),
    'bytes of an answer': figure(polled.bytesEach, { below: 300 }),
  };
}

const failures = ({ by }: Outcome) =>
  Object.entries(by).reduce((sum, [status, times]) => sum + (/^(?:20[01]|304)$/.test(status) ? 0 : times), 0);

/** Tickets are filed and others decided, each for another person, by a generator of their own. */
async function loadWrites(ends: Ends, { url, port, pool }: OpenProduct, ids: number[]): Promise<Generator> {
  const [writer, { cookie }] = [startGenerator(ends), await callAsAdministrator({ url })];
  const { rows } = await pool.query<{ id: number }>(
    "select id from tickets where status = 'pending' and user_id = any($1) order by hashint4(id) limit 20000",
    [ids],
  );
  const decisions = rows.map(({ id }) => ({
    head: headOf('PATCH', `/api/tickets/${id}/status`, cookie),
    body: JSON.stringify({ status: 'approved' }),
  }));
  writer.load({ set: 'orders', port, keyed: true, targets: await ordersOf(url, ids, cookieOf) });
  writer.load({ set: 'decisions', port, targets: decisions });
  return writer;
}
