import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import { cpuSeconds, startChild } from './children.ts';
import { crowd, crowdOptions, crowdRows } from './crowd.ts';
import { expressCookieOf, startExpress } from './express-peer.ts';
import { figure, median, medianRatio, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { type Generator, startGenerator } from './load/start-generator.ts';
import { headOf, type Outcome } from './load/task.ts';
import { type OpenProduct, openPool, openProduct } from './open-product.ts';
import type { Ready } from './peers/bare-fastify.ts';
import { addPeople, cookieOf, idsOf, type People } from './people.ts';
import type { Stage } from './stage.ts';

const connections = 32;
/** People whose tickets change before each of their polls. */
const changing = 2_000;
const idleRounds = 7;
const idleMs = 2_000;
const warmUpTurns = 8;
const changeRounds = 6;

/**
 * What a poll costs: an idle one beside a bare Fastify that has its 304 ready and beside express, one after a change beside
 * express (32 connections, one process each, by turns in short rounds), and then thirty thousand people by schedule.
 * `--people`, `--seconds` make the last smaller, `--only peers` and `--only crowd` leave a half out.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({ args: stage.args, options: { ...crowdOptions, only: { type: 'string' } } });
  return {
    ...(values.only !== 'crowd' && (await besidePeers(stage))),
    ...(values.only !== 'peers' && crowdRows(await crowd(stage, values))),
  };
}

interface Measured {
  perSecond: number;
  /** Processor time of the server's process for each answer, in microseconds. */
  cpuMicroseconds: number;
  by: Outcome['by'];
}

async function besidePeers(stage: Stage): Promise<Rows> {
  const folder = makeFolder(stage);
  let people: People = { first: 1, count: 0 };
  await fill(stage, folder, { users: 1_000, tickets: 20_000 }, async (pool) => {
    people = await addPeople(pool, { count: changing + 1, busy: changing + 1 });
  });
  const product = await openProduct(stage, folder);
  const pool = openPool(stage, product.database);
  const express = await startExpress(stage, product.database, pool, people);
  const bare = await startBareFastify(stage, product, people.first);
  const generator = await startGenerator(stage);
  const servers = { product: { port: product.port, pid: product.pid }, express, bare };

  const [idler = 0, ...others] = idsOf(people);
  const targetOf = (id: number, cookie: string) => ({ head: headOf('GET', ticketsOf(id), cookie) });
  const ownCookie = (id: number) => `${sessionCookie}=${cookieOf(id)}`;
  for (const [name, { port }] of Object.entries(servers)) {
    const cookie = name === 'express' ? expressCookieOf : ownCookie;
    generator.load({ set: `${name} idle`, port, conditional: true, targets: [targetOf(idler, cookie(idler))] });
    const targets = others.map((id) => targetOf(id, cookie(id)));
    generator.load({ set: `${name} changing`, port, conditional: true, targets });
  }
  const time = (name: keyof typeof servers, kind: string, stop: Parameters<Generator['closed']>[0]['stop']) =>
    timed(servers[name].pid, () => generator.closed({ set: `${name} ${kind}`, connections, stop }));

  const idle = { product: [] as Measured[], express: [] as Measured[], bare: [] as Measured[] };
  const changed = { product: [] as Measured[], express: [] as Measured[] };
  // The first rounds of each warm it up, and bring the ETags.
  for (const name of ['bare', 'express', 'product'] as const) await time(name, 'idle', { afterMs: idleMs });
  for (let turn = 0; turn < idleRounds; turn += 1)
    for (const name of ['bare', 'express', 'product'] as const)
      idle[name].push(await time(name, 'idle', { afterMs: idleMs }));
  for (let turn = -warmUpTurns; turn < changeRounds; turn += 1) {
    await changeAll(pool, product, others);
    for (const name of ['express', 'product'] as const) {
      const measured = await time(name, 'changing', { afterTurns: 1 });
      if (turn >= 0) changed[name].push(measured);
    }
  }
  return rowsOf(idle, changed);
}

const ticketsOf = (id: number) => `/api/tickets/user/${id}`;

/** A bare Fastify with the product's own answer to an idle poll. */
async function startBareFastify(stage: Stage, { url }: OpenProduct, id: number) {
  const ask = (more: Record<string, string> = {}) =>
    fetch(url + ticketsOf(id), { headers: { cookie: `${sessionCookie}=${cookieOf(id)}`, ...more } });
  const whole = await ask();
  const etag = whole.headers.get('etag');
  const answer = etag ? await ask({ 'if-none-match': etag }) : whole;
  const headers = Object.fromEntries(answer.headers);
  // What node writes itself, and what belongs to a body.
  for (const name of ['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'content-encoding'])
    delete headers[name];
  const child = startChild(stage, path.join(import.meta.dirname, 'peers/bare-fastify.ts'));
  child.send({ etag: etag ?? 'W/"ready"', headers, body: await whole.text() } satisfies Ready);
  const { port } = await child.hear<{ port: number }>();
  return { port, pid: child.pid };
}

async function timed(pid: number, run: () => Promise<Outcome>): Promise<Measured> {
  const before = cpuSeconds(pid);
  const { perSecond, answered, by } = await run();
  return { perSecond, cpuMicroseconds: (1e6 * (cpuSeconds(pid) - before)) / answered, by };
}

/** Changes a ticket of each, in one transaction, and waits until the product answers so. */
async function changeAll(pool: pg.Pool, { url }: OpenProduct, ids: number[]): Promise<void> {
  const { rows } = await pool.query<{ at: Date }>(
    `update tickets set updated_at = date_trunc('milliseconds', clock_timestamp())
     where id in (select max(id) from tickets where user_id = any($1) group by user_id) returning updated_at as at, user_id`,
    [ids],
  );
  if (rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} changed`);
  const [id = 0] = ids;
  const headers = { cookie: `${sessionCookie}=${cookieOf(id)}` };
  const before = Math.min(...rows.map(({ at }) => at.getTime()));
  for (;;) {
    const [newest] = (await (await fetch(url + ticketsOf(id), { headers })).json()) as { updatedAt: string }[];
    if (newest && Date.parse(newest.updatedAt) >= before) return;
  }
}

function rowsOf(
  idle: { product: Measured[]; express: Measured[]; bare: Measured[] },
  changed: { product: Measured[]; express: Measured[] },
): Rows {
  const rates = (of: Measured[]) => of.map(({ perSecond }) => perSecond);
  const costs = (of: Measured[]) => of.map(({ cpuMicroseconds }) => cpuMicroseconds);
  const ratio = (a: Measured[], b: Measured[], atLeast: number) =>
    figure(
      medianRatio(rates(a), rates(b)),
      { atLeast },
      { 'by processor time': round(medianRatio(costs(b), costs(a))) },
    );
  const rate = (of: Measured[]) =>
    figure(median(rates(of)), undefined, {
      'CPU µs each': round(median(costs(of))),
      answers: Object.entries(sum(of))
        .map(([status, times]) => `${status}: ${times}`)
        .join(', '),
    });
  return {
    'idle poll ÷ bare Fastify 304': ratio(idle.product, idle.bare, 0.7),
    'idle poll ÷ express': ratio(idle.product, idle.express, 50),
    'poll after a change ÷ express': ratio(changed.product, changed.express, 3),
    'idle polls/s: bare Fastify': rate(idle.bare),
    'idle polls/s: express': rate(idle.express),
    'idle polls/s: the product': rate(idle.product),
    'polls/s after a change: express': rate(changed.express),
    'polls/s after a change: the product': rate(changed.product),
  };
}

/** All answers by their status. */
function sum(of: Measured[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { by } of of) for (const [status, times] of Object.entries(by)) all[status] = (all[status] ?? 0) + times;
  return all;
}
