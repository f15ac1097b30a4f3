import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Product } from '../../e2e/product.ts';
import { signInAdministrator } from './administrator.ts';
import { crowdOptions, gather, poll } from './crowd.ts';
import { startErrands } from './errands.ts';
import { figure, median, percentile, type Rows, round } from './figures.ts';
import { makeMemoryGroup } from './memory-group.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

const megabytes = 512;
/** What may be more in the last fifth of the time than in the second: a heap wanders. */
const wanders = 1.1;
/** Two writes of five are tickets and two decisions: over five tickets a second, 300 a minute, and as many decisions. */
const writesPerSecond = 13;

/**
 * The whole product, PostgreSQL included, in 512 MB: a thousand people poll, 300 tickets a minute are filed and as many decided,
 * the largest export is taken, and everything else is done in turn (`errands.ts`). Where the kernel lets it, it is given no more, its cache of
 * files included. `--people` and `--seconds` (120) change how many and how long: 1,200 tell whether its memory grows.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { people = '1000', seconds = '120' } = parseArgs({ args: stage.args, options: crowdOptions }).values;
  const group = makeMemoryGroup(stage, megabytes * 2 ** 20);
  const all = await gather(stage, { people }, {}, (...given) =>
    group ? group.around(() => openProduct(...given)) : openProduct(...given),
  );
  const samples: { whole: number; server: number }[] = [];
  const looks = setInterval(() => {
    const server = ownMegabytes(all.product.pid);
    samples.push({
      server,
      whole: all.product.postgresProcesses().reduce((sum, pid) => sum + ownMegabytes(pid), server),
    });
  }, 250);
  const stop = all.startWriting(writesPerSecond);
  const endErrands = await startErrands(stage, all.product, all.folder);
  const exported = exportAll(all.product);
  const polled = await poll(all, Number(seconds));
  clearInterval(looks);
  const written = await stop();
  const errands = await endErrands();
  const most = samples.reduce((a, b) => (b.whole > a.whole ? b : a));
  const [second, last] = [fifth(samples, 1), fifth(samples, 4)];
  const bytes = await exported;
  const bad = Object.entries(polled.by).reduce(
    (sum, [status, times]) => sum + (/^(200|304)$/.test(status) ? 0 : times),
    0,
  );
  return {
    'memory at most (MB)': figure(most.whole, { below: megabytes }, { 'of it the server': Math.round(most.server) }),
    'growth of the whole': figure(
      last / second,
      { atMost: wanders },
      { 'second fifth': round(second), last: round(last) },
    ),
    'killed for want of memory': group ? figure(group.killed(), { atMost: 0 }) : figure(Number.NaN),
    'tickets a minute': figure((written.done / polled.seconds) * 60 * 0.4, { atLeast: 300 }),
    'p99 of a write (ms)': figure(percentile(written.latencies, 0.99)),
    'polls/s': figure(polled.perSecond, { atLeast: Math.floor(polled.wanted * 0.99) }),
    'p99 of a poll (ms)': figure(polled.p99),
    'bytes of the export': figure(bytes),
    'rounds of everything else': figure(errands.rounds),
    errors: figure(
      bad + total(written.failed) + total(errands.failed),
      { atMost: 0 },
      { answers: JSON.stringify({ ...written.failed, ...errands.failed }) },
    ),
  };
}

const total = (failed: Record<string, number>) => Object.values(failed).reduce((sum, times) => sum + times, 0);

/** The middle of what the whole had in this fifth of the time, from 0. */
function fifth(samples: readonly { whole: number }[], which: number): number {
  const size = samples.length / 5;
  return median(samples.slice(which * size, (which + 1) * size).map(({ whole }) => whole));
}

/** Everything there is, as a file; answers its bytes. */
async function exportAll(product: Product): Promise<number> {
  const cookie = await signInAdministrator(product);
  const answer = await fetch(`${product.url}/api/admin/ticket-export?timeZone=Africa/Ouagadougou`, {
    headers: { cookie },
  });
  if (!answer.ok) throw new Error(`export: ${answer.status} ${await answer.text()}`);
  return (await answer.arrayBuffer()).byteLength;
}

/** Megabytes of a process's own, and its share of what it has together with others (Linux, proc_pid_smaps_rollup: Pss). */
function ownMegabytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
