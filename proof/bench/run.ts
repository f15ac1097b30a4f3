import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { ensureChromium } from '../../scripts/chromium.mjs';
import type { Ends } from './children.ts';
import type { Rows } from './figures.ts';

/** `npm run bench -- <name>`: runs one bench, prints its figures as a table, and then as one line of JSON. */
interface Bench {
  measures: string;
  open(): Promise<{ measure(ends: Ends, args: string[]): Promise<Rows> }>;
}

const benches: Record<string, Bench> = {
  polls: { measures: 'idle polls, polls after a change, and thirty thousand people', open: () => import('./polls.ts') },
  writes: { measures: 'tickets filed, decisions and sign-ins a second', open: () => import('./writes.ts') },
  lists: { measures: "the administrators' lists at a million tickets", open: () => import('./lists.ts') },
  line: { measures: 'what a person on a slow connection waits for', open: () => import('./line.ts') },
  payments: { measures: 'incoming payments: a day, the lists, a statement', open: () => import('./payments.ts') },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (!bench) {
  if (name) console.error(`There is no bench called ${name}.`);
  console.error('npm run bench -- <name>, with one of');
  for (const [each, { measures }] of Object.entries(benches)) console.error(`  ${each.padEnd(12)}${measures}`);
  process.exit(1);
}

const ends: Ends = new AsyncDisposableStack();
// A terminal's Ctrl-C reaches what was started too, but PostgreSQL, which lives in a session of its own.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    void ends.disposeAsync().finally(() => process.exit(128 + os.constants.signals[signal]));
  });
try {
  if (name === 'line') ensureChromium((sentence) => console.error(sentence));
  const rows = await (await bench.open()).measure(ends, args);
  console.table(rows);
  console.log(JSON.stringify({ bench: name, args, at: new Date().toISOString(), ...machine(), rows }));
} catch (error) {
  // What was cut short fails by that.
  if (!ends.disposed) console.error(error);
  process.exitCode = 1;
} finally {
  await ends.disposeAsync();
}

/** On what it was measured: absolute figures are worth nothing without. */
function machine() {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname }).toString();
  const cpus = os.cpus();
  return {
    commit: commit.trim(),
    node: process.version,
    cpus: `${cpus.length} × ${cpus[0]?.model.trim()}`,
    load: os.loadavg().map((each) => Number(each.toFixed(2))),
  };
}
