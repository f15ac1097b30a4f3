import { once } from 'node:events';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { signInAdministrator } from './administrator.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

/** 40,000 catalogues: on few connections, which are closed for sending so much, and on many. */
const pipelines = {
  few: { connections: 40, requests: 1_000 },
  many: { connections: 400, requests: 100 },
} as const;
type Pipelines = keyof typeof pipelines;

/**
 * What others wait for while 500 strangers sign in with made-up names and 500 send made-up reset tokens, all at
 * once: the page and a poll are called one after the other, before and meanwhile, and their p99 is printed beside what is asked for.
 * Then the longest that the process's health is waited for while 40,000 catalogues are asked for and none is read.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const product = await openProduct(stage, makeFolder(stage), { RATE_LIMITS: 'on', LOG_LEVEL: 'error' });
  const cookie = await signInAdministrator(product);
  const before = await timeCalls(product.url, cookie, 2_000);
  // In a thread of their own, so that what is measured does not wait for who asks.
  const beside = (work: 'flood' | Pipelines) =>
    new Promise<Record<string, Record<string, number>>>((resolve, reject) => {
      new Worker(import.meta.filename, { workerData: { url: product.url, work } })
        .once('message', resolve)
        .once('error', reject);
    });
  const strangers = beside('flood');
  const meanwhile = await timeCalls(product.url, cookie, 4_000);
  const told = await strangers;
  const quiet = await timeHealth(product.url, pause(2_000));
  const longestBeside = (name: Pipelines) => timeHealth(product.url, beside(name));
  return {
    'health beside 40 × 1,000 catalogues not read, longest (ms)': figure(
      await longestBeside('few'),
      { below: 200 },
      { before: round(quiet) },
    ),
    'health beside 400 × 100 catalogues not read, longest (ms)': figure(await longestBeside('many')),
    'GET / under 1,000 strangers, p99 (ms)': figure(meanwhile.page, { below: 100 }, { before: round(before.page) }),
    'a poll under 1,000 strangers, p99 (ms)': figure(meanwhile.poll, { below: 100 }, { before: round(before.poll) }),
    ...told,
  };
}

/** Calls the page and a poll in turns for so long; answers the p99 of each, in milliseconds. */
async function timeCalls(url: string, cookie: string, milliseconds: number): Promise<{ page: number; poll: number }> {
  const times: { page: number[]; poll: number[] } = { page: [], poll: [] };
  const until = performance.now() + milliseconds;
  while (performance.now() < until)
    for (const [name, path] of [
      ['page', '/'],
      ['poll', '/api/admin/pending-tickets'],
    ] as const) {
      const start = performance.now();
      const answer = await fetch(url + path, { headers: { cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      times[name].push(performance.now() - start);
      await pause(2);
    }
  return { page: percentile(times.page, 0.99), poll: percentile(times.poll, 0.99) };
}

/** Asks for the process's health again and again until something has ended; answers the longest wait, in milliseconds. */
async function timeHealth(url: string, until: Promise<unknown>): Promise<number> {
  let longest = 0;
  let ended = false;
  void until.finally(() => {
    ended = true;
  });
  while (!ended) {
    const start = performance.now();
    await (await fetch(`${url}/api/health/live`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - start);
    await pause(2);
  }
  await until;
  return longest;
}

/** Asks for the whole catalogue, plain, many times on each of many connections, and reads nothing of it for some seconds. */
async function pipeline(url: string, { connections, requests }: { connections: number; requests: number }) {
  const { hostname: host, port } = new URL(url);
  await (await fetch(`${url}/api/catalogue`, { headers: { 'accept-encoding': 'gzip' } })).arrayBuffer();
  const asked = 'GET /api/catalogue HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(requests);
  const sockets = Array.from({ length: connections }, () => net.connect(Number(port), host));
  await Promise.all(sockets.map((socket) => once(socket.pause(), 'connect')));
  for (const socket of sockets) socket.on('error', () => {}).write(asked);
  await pause(5_000);
  for (const socket of sockets) socket.destroy();
}

/** Sends 500 made-up sign-ins and 500 made-up tokens at once; answers how many were answered what, and how many were told when to come back. */
async function flood(url: string): Promise<Record<string, Record<string, number>>> {
  const bodies = {
    '/api/auth/signin': (n: number) => ({ phoneOrEmail: `70${String(n).padStart(6, '0')}`, password: 'deviné' }),
    '/api/auth/reset-password': (n: number) => ({
      token: `inventé-${n}`,
      newPassword: 'secret-1',
      confirmPassword: 'secret-1',
    }),
  };
  const counts: Record<string, Record<string, number>> = {};
  await Promise.all(
    Object.entries(bodies).flatMap(([path, body]) =>
      Array.from({ length: 500 }, async (_, n) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body(n)) });
        await answer.arrayBuffer();
        const row = counts[path] ?? {};
        counts[path] = row;
        row[answer.status] = (row[answer.status] ?? 0) + 1;
        if (answer.headers.has('retry-after')) row['told when'] = (row['told when'] ?? 0) + 1;
      }),
    ),
  );
  return counts;
}

if (!isMainThread) {
  const { url, work } = workerData as { url: string; work: 'flood' | Pipelines };
  parentPort?.postMessage(await (work === 'flood' ? flood(url) : pipeline(url, pipelines[work])));
}
