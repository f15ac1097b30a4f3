import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { makeDataFolder, startProduct } from '../e2e/product.ts';
import { administrator, signInAdministrator } from './administrator.ts';

/**
 * What others wait for while 500 strangers sign in with made-up names and 500 send made-up reset tokens, all at
 * once: the page and a poll are called one after the other, before and meanwhile, and their p99 is printed beside what is asked for.
 */
if (isMainThread) await measure();
else parentPort?.postMessage(await flood(workerData as string));

async function measure(): Promise<void> {
  const product = await startProduct(makeDataFolder(), { LOG_LEVEL: 'error', ...administrator });
  try {
    const cookie = await signInAdministrator(product);
    const before = await timeCalls(product.url, cookie, 2_000);
    // In a thread of their own, so that what is measured does not wait for who asks.
    const strangers = new Promise((resolve) => {
      new Worker(import.meta.filename, { workerData: product.url }).once('message', resolve);
    });
    const meanwhile = await timeCalls(product.url, cookie, 4_000);
    console.table({
      'GET / p99 (ms)': { before: before.page, 'under 1,000 strangers': meanwhile.page, 'asked for': 100 },
      'a poll p99 (ms)': { before: before.poll, 'under 1,000 strangers': meanwhile.poll, 'asked for': 100 },
    });
    console.table(await strangers);
  } finally {
    await product.stop();
  }
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
  const p99 = (all: number[]) => Number((all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0).toFixed(1));
  return { page: p99(times.page), poll: p99(times.poll) };
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
