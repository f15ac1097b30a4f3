// Runs the suites of `npm run check`, `npm test` and `npm run test:slow`: `run-suites.ts <check | everyday | slow>`.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';

interface Suite {
  name: string;
  command: string;
  /**
   * Budget in processor time, as a multiple of what the types of the same run took, since machines differ: about one and
   * a half times the use on two idle cores.
   */
  budget?: number;
}

const typescript = 'node node_modules/@typescript/native/bin/tsc -p';
const types: Suite = { name: 'types', command: `${typescript} .` };
const checks: Suite[] = [
  { name: 'types of the web app', command: `${typescript} web && ${typescript} web/worker`, budget: 0.5 },
  { name: 'lint and format', command: 'biome check --error-on-warnings .', budget: 1 },
  { name: 'dead code', command: 'knip', budget: 0.5 },
  { name: 'imports, documents, budgets', command: 'node architecture/check.ts', budget: 0.5 },
];
const unit: Suite = {
  name: 'unit and API tests',
  command: 'vitest run --project files --project processes',
  budget: 20,
};
const browser: Suite = { name: 'browser tests', command: 'playwright test', budget: 8 };
const slowUnit: Suite = { name: 'slow unit and API tests', command: 'vitest run --project slow' };
const proofTypes: Suite = {
  name: 'types of proof/',
  command: `node scripts/prepare.mjs proof && ${typescript} proof`,
};
const slowBrowser: Suite = { name: 'slow browser tests', command: 'TIER=slow playwright test' };

/** Stages run one after another, the lanes of a stage side by side, and the suites of a lane in turn. */
const tiers: Record<string, Suite[][][]> = {
  check: [[[types], checks]],
  everyday: [[[unit], [types, ...checks]], [[browser]]],
  slow: [[[proofTypes]], [[slowUnit]], [[slowBrowser]]],
};

interface Run {
  suite: Suite;
  failed: boolean;
  /** Wall-clock seconds. */
  seconds: number;
  /** Processor seconds of the suite and of all its awaited child processes. */
  processor: number;
}

/** The children's line of the shell's `times` (POSIX): `1m2.345s 0m6.789s`, user and system. */
function readTimes(output: string): number {
  const parts = [...(output.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

async function run(suite: Suite, output: 'shown' | 'shown at the end'): Promise<Run> {
  const from = performance.now();
  const shown = output === 'shown';
  const child = spawn('sh', ['-c', `(${suite.command}); status=$?; times >&3; exit $status`], {
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const read = (stream: (typeof child.stdio)[number] | undefined) =>
    stream && 'read' in stream ? text(stream) : Promise.resolve('');
  const [out, errors, times, status] = await Promise.all([
    read(child.stdio[1]),
    read(child.stdio[2]),
    read(child.stdio[3]),
    ended,
  ]);
  if (status !== 0) process.stderr.write(out + errors);
  return {
    suite,
    failed: status !== 0,
    seconds: (performance.now() - from) / 1_000,
    processor: readTimes(times),
  };
}

async function runLane(suites: Suite[], output: Parameters<typeof run>[1]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const suite of suites) runs.push(await run(suite, output));
  return runs;
}

const [tier = ''] = process.argv.slice(2);
const stages = tiers[tier];
if (!stages) throw new Error(`The tiers are ${Object.keys(tiers).join(', ')}.`);
const from = performance.now();
const runs: Run[] = [];
for (const lanes of stages) {
  if (runs.some(({ failed }) => failed)) break;
  const ran = await Promise.all(lanes.map((lane, index) => runLane(lane, index === 0 ? 'shown' : 'shown at the end')));
  runs.push(...ran.flat());
}
const yardstick = runs.find(({ suite }) => suite === types)?.processor;
/** Processor seconds. */
const budgetOf = ({ budget }: Suite) => (yardstick && budget ? yardstick * budget : Number.POSITIVE_INFINITY);
const isOver = ({ suite, processor }: Run) => processor > budgetOf(suite);
for (const each of runs) {
  const { suite, failed, seconds, processor } = each;
  const budget = budgetOf(suite);
  const of = Number.isFinite(budget) ? ` of ${budget.toFixed(0).padStart(4)}` : '';
  const verdict = failed ? 'FAILED' : isOver(each) ? 'OVER ITS BUDGET' : '';
  console.error(
    `${suite.name.padEnd(29)}${seconds.toFixed(0).padStart(5)} s${processor.toFixed(0).padStart(7)}${of} processor seconds  ${verdict}`.trimEnd(),
  );
}
console.error(`${'all'.padEnd(29)}${((performance.now() - from) / 1_000).toFixed(0).padStart(5)} s`);
process.exitCode = runs.some((each) => each.failed || isOver(each)) ? 1 : 0;
