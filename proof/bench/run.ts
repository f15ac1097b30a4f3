import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { ensureChromium } from '../../scripts/chromium.mjs';
import type { Ends } from './children.ts';
import type { Rows } from './figures.ts';

/** `npm run bench -- <name>`: runs one bench, prints its figures as a table, and then as one line of JSON. */
type Measure = (ends: Ends, args: string[]) => Promise<Rows>;
const benches: Record<string, [measures: string, open: () => Promise<{ measure: Measure }>]> = {
  polls: ['idle polls, polls after a change, and thirty thousand people', () => import('./polls.ts')],
  writes: ['tickets filed a second', () => import('./writes.ts')],
  lists: ["the administrators' lists at a million tickets", () => import('./lists.ts')],
  line: ['what a person on a slow connection waits for', () => import('./line.ts')],
  payments: ['incoming payments: a day, the lists, a statement', () => import('./payments.ts')],
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (!bench) {
  if (name) console.error(`There is no bench called ${name}.`);
  console.error('npm run bench -- <name>, with one of');
  for (const [each, [measures]] of Object.entries(benches)) console.error(`  ${each.padEnd(12)}${measures}`);
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
  const rows = await (await bench[1]()).measure(ends, args);
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
  const cpus = `${os.cpus().length} × ${os.cpus()[0]?.model.trim()}`;
  return { commit: commit.trim(), node: process.version, cpus, load: os.loadavg() };
}
