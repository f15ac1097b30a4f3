import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { ensureChromium } from '../../scripts/chromium.mjs';
import type { Rows } from './figures.ts';
import { Ends, type Stage } from './stage.ts';

/** `npm run bench -- <name>`: runs one bench, prints what it found as a table, and then as one line of JSON. */
interface Bench {
  measures: string;
  inBrowser?: true;
  open(): Promise<{ measure(stage: Stage): Promise<Rows> }>;
}

const benches: Record<string, Bench> = {
  polls: { measures: 'idle polls, polls after a change, and thirty thousand people', open: () => import('./polls.ts') },
  writes: { measures: 'tickets filed, decisions and sign-ins a second', open: () => import('./writes.ts') },
  lists: { measures: "the administrators' lists at a million tickets", open: () => import('./lists.ts') },
  boot: { measures: 'cold and warm starts, and what is installed', open: () => import('./boot.ts') },
  web: { measures: 'bytes on the line: screens, polls, an idle hour', inBrowser: true, open: () => import('./web.ts') },
  memory: {
    measures: "memory under thirty thousand people, and over an hour's polls",
    open: () => import('./memory.ts'),
  },
  small: { measures: 'the whole product within 512 MB of memory', open: () => import('./small.ts') },
  queue: { measures: 'twenty decisions of the queue by keyboard', inBrowser: true, open: () => import('./queue.ts') },
  export: { measures: 'what the export of a million tickets costs', open: () => import('./export.ts') },
  backup: { measures: 'a backup of a million tickets, and restoring it', open: () => import('./backup.ts') },
  strangers: { measures: 'what others wait for under a thousand strangers', open: () => import('./strangers.ts') },
  payments: {
    measures: 'payments that came in: a day, the lists, a statement, the feed',
    open: () => import('./payments.ts'),
  },
  outages: { measures: 'PostgreSQL killed and its disk filled, under load', open: () => import('./outages.ts') },
  line: { measures: 'what a person on a slow line waits for', inBrowser: true, open: () => import('./line.ts') },
  lighthouse: { measures: "Lighthouse's marks", inBrowser: true, open: () => import('./lighthouse.ts') },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (!bench) {
  if (name) console.error(`There is no bench called ${name}.`);
  console.error('npm run bench -- <name>, with one of');
  for (const [each, { measures }] of Object.entries(benches)) console.error(`  ${each.padEnd(12)}${measures}`);
  process.exit(1);
}

const ends = new Ends();
let interrupted = false;
// A terminal's Ctrl-C reaches what was started too, but PostgreSQL, which lives in a session of its own.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    interrupted = true;
    void ends.all().finally(() => process.exit(128 + os.constants.signals[signal]));
  });
try {
  if (bench.inBrowser) ensureChromium((sentence) => console.error(sentence));
  const rows = await (await bench.open()).measure({ args, ends });
  console.table(rows);
  console.log(JSON.stringify({ bench: name, args, at: new Date().toISOString(), ...machine(), rows }));
} catch (error) {
  // What was cut short fails by that.
  if (!interrupted) console.error(error);
  process.exitCode = 1;
} finally {
  await ends.all();
}

/** On what it was measured: absolute figures are worth nothing without. */
function machine() {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: path.dirname(import.meta.dirname) }).toString();
  const cpus = os.cpus();
  return {
    commit: git('describe', '--always', '--dirty').trim(),
    node: process.version,
    cpus: `${cpus.length} × ${cpus[0]?.model.trim()}`,
    load: os.loadavg().map((each) => Number(each.toFixed(2))),
  };
}
