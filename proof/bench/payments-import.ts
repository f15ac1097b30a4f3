import { setTimeout as pause } from 'node:timers/promises';
import { waveHeader, waveTime } from '../../server/testing/payment-day-inputs.ts';
import { seededRandom } from '../../server/testing/seeded-random.ts';
import { residentMegabytes } from './children.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import { addAccount, askAsAdministrator } from './payments-account.ts';
import type { Stage } from './stage.ts';

interface Imported {
  rows: number;
  payments: number;
  created: number;
  unchanged: number;
  written: boolean;
  faults: { message: string }[];
}

/** How long a statement of so many rows takes, in what memory, and how long another administrator waits for a poll meanwhile. */
export async function measureImport(stage: Stage, count: number): Promise<Rows> {
  const product = await openProduct(stage, makeFolder(stage), { LOG_LEVEL: 'error' });
  const [ask, other] = [await askAsAdministrator(product), await askAsAdministrator(product)];
  const accountId = await addAccount(ask, { country: '+221' });
  const file = writeStatement(count);
  const rows: Rows = {};
  const run = async (title: string, text: string, options: { dryRun: boolean; created: number; asked: boolean }) => {
    const form = new FormData();
    form.set('accountId', String(accountId));
    form.set('dryRun', String(options.dryRun));
    form.set('file', new File([text], 'releve.csv', { type: 'text/csv' }));
    const watch = watchBeside(product.pid, other);
    const start = performance.now();
    const told = await ask<Imported>('POST', '/api/admin/payments/imports', form);
    const seconds = (performance.now() - start) / 1_000;
    const { polls, megabytes } = await watch();
    if (told.created !== options.created || told.faults.length > 0)
      throw new Error(`${title}: ${JSON.stringify({ ...told, first: undefined }).slice(0, 500)}`);
    const { asked } = options;
    rows[`${title} (s)`] = figure(seconds, asked ? { below: 30 } : undefined);
    rows[`${title}: resident memory of the process (MB)`] = figure(megabytes, asked ? { below: 512 } : undefined);
    rows[`${title}: another administrator's polls, p99 (ms)`] = figure(
      percentile(polls, 0.99),
      asked ? { below: 200 } : undefined,
      { polls: polls.length, longest: round(Math.max(...polls)) },
    );
  };
  const size = `${count.toLocaleString('en')} rows`;
  await run(`${size}, dry`, file, { dryRun: true, created: count, asked: false });
  await run(`${size}, imported`, file, { dryRun: false, created: count, asked: true });
  await run(`${size}, the same file`, file, { dryRun: false, created: 0, asked: false });
  await run(`${size}, all known but one`, writeStatement(count + 1), { dryRun: false, created: 1, asked: true });
  return rows;
}

/** Polls and looks at the memory until it is asked what it saw. */
function watchBeside(pid: number, other: Awaited<ReturnType<typeof askAsAdministrator>>) {
  const polls: number[] = [];
  let megabytes = 0;
  let ended = false;
  const poll = async () => {
    while (!ended)
      for (const path of ['/api/admin/pending-tickets', '/api/admin/payments/count', '/api/admin/payments']) {
        const start = performance.now();
        await other('GET', path);
        polls.push(performance.now() - start);
        await pause(20);
      }
  };
  const look = async () => {
    while (!ended) {
      megabytes = Math.max(megabytes, residentMegabytes(pid));
      await pause(25);
    }
  };
  const both = Promise.all([poll(), look()]);
  return async () => {
    ended = true;
    await both;
    return { polls, megabytes };
  };
}

/** Wave's English export of received payments, all of the last weeks. */
function writeStatement(count: number): string {
  const below = seededRandom(count % 2);
  const start = Date.UTC(2026, 9, 1);
  const lines = Array.from({ length: count }, (_, n) => {
    const gross = 100 * (1 + below(500));
    const fee = gross / 100;
    const payer = `+22177${String(below(10_000_000)).padStart(7, '0')}`;
    const id = `T_X${n.toString(36).toUpperCase().padStart(9, '0')}`;
    return `${waveTime(start + 40_000 * n)},${id},api_checkout,${gross - fee},${fee},XOF,${payer},,,,`;
  });
  return [waveHeader, ...lines].join('\r\n');
}
