import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Product } from '../e2e/product.ts';
import { signInAdministrator } from './administrator.ts';
import { crowdOptions, gather, poll } from './crowd.ts';
import { figure, percentile, type Rows } from './figures.ts';
import { makeMemoryGroup } from './memory-group.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

const megabytes = 512;
/** Two writes of five are tickets and two decisions: over five tickets a second, 300 a minute, and as many decisions. */
const writesPerSecond = 13;

/**
 * The whole product, PostgreSQL included, in 512 MB: a thousand people poll, 300 tickets a minute are filed and as many decided,
 * and the largest export is taken meanwhile. Where the kernel lets it, it is given no more, its cache of files included. `--people` and
 * `--seconds` (120) change how many and how long.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { people = '1000', seconds = '120' } = parseArgs({ args: stage.args, options: crowdOptions }).values;
  const group = makeMemoryGroup(stage, megabytes * 2 ** 20);
  const all = await gather(stage, { people }, {}, (...given) =>
    group ? group.around(() => openProduct(...given)) : openProduct(...given),
  );
  let most = { whole: 0, server: 0 };
  const looks = setInterval(() => {
    const server = ownMegabytes(all.product.pid);
    const whole = all.product.postgresProcesses().reduce((sum, pid) => sum + ownMegabytes(pid), server);
    if (whole > most.whole) most = { whole, server };
  }, 250);
  const stop = all.startWriting(writesPerSecond);
  const exported = exportAll(all.product);
  const polled = await poll(all, Number(seconds));
  const written = await stop();
  clearInterval(looks);
  const bytes = await exported;
  const bad = Object.entries(polled.by).reduce(
    (sum, [status, times]) => sum + (/^(200|304)$/.test(status) ? 0 : times),
    0,
  );
  return {
    'memory at most (MB)': figure(most.whole, { below: megabytes }, { 'of it the server': Math.round(most.server) }),
    'killed for want of memory': group ? figure(group.killed(), { atMost: 0 }) : figure(Number.NaN),
    'tickets a minute': figure((written.done / polled.seconds) * 60 * 0.4, { atLeast: 300 }),
    'p99 of a write (ms)': figure(percentile(written.latencies, 0.99)),
    'polls/s': figure(polled.perSecond, { atLeast: Math.floor(polled.wanted * 0.99) }),
    'p99 of a poll (ms)': figure(polled.p99),
    'bytes of the export': figure(bytes),
    errors: figure(bad + Object.values(written.failed).reduce((sum, times) => sum + times, 0), { atMost: 0 }),
  };
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
