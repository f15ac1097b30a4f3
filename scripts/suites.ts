import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Outcome } from './outcome.ts';

export interface Suite {
  name: string;
  command: string;
}

interface Run {
  suite: Suite;
  outcome: Outcome;
  failed: boolean;
  seconds: number;
}

/** Of a suite without tests of its own, such as the types, or of one that did not come to its end: one check. */
function readOutcome({ name }: Suite, file: string, failed: boolean): Outcome {
  if (!existsSync(file)) return { passed: failed ? 0 : 1, failed: failed ? [name] : [], flaky: [] };
  const outcome: Outcome = JSON.parse(readFileSync(file, 'utf8'));
  return failed && outcome.failed.length === 0 ? { ...outcome, failed: [name] } : outcome;
}

/** Runs a suite; what it says is shown at once, or, if it fails, at its end. */
async function run(suite: Suite, isShown: boolean): Promise<Run> {
  const from = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'guichet-suite-'));
  const file = path.join(folder, 'outcome');
  const output = isShown ? 'inherit' : 'pipe';
  const child = spawn('sh', ['-c', suite.command], {
    stdio: ['ignore', output, output],
    env: { ...process.env, OUTCOME_FILE: file },
  });
  const said = [child.stdout, child.stderr].map(async (stream) => (stream ? text(stream) : ''));
  const [[status], ...words] = await Promise.all([once(child, 'close'), ...said]);
  const failed = status !== 0;
  if (failed) process.stderr.write(words.join(''));
  const outcome = readOutcome(suite, file, failed);
  rmSync(folder, { recursive: true });
  return { suite, outcome, failed, seconds: (performance.now() - from) / 1_000 };
}

/**
 * Runs the stages one after another, the lanes of a stage side by side, and the suites of a lane in turn; ends at the first
 * stage that fails, with CI set at the last. Prints each suite's time, the flaky and the failed tests and, last, `N passed, N failed`.
 * Answers whether all passed.
 */
export async function runStages(stages: Suite[][][]): Promise<boolean> {
  const runs: Run[] = [];
  const runLane = async (lane: Suite[], index: number) => {
    for (const suite of lane) runs.push(await run(suite, index === 0));
  };
  for (const lanes of stages) {
    if (!process.env.CI && runs.some(({ failed }) => failed)) break;
    await Promise.all(lanes.map(runLane));
  }
  for (const { suite, failed, seconds } of runs)
    console.error(`${suite.name.padEnd(24)}${seconds.toFixed(0).padStart(5)} s  ${failed ? 'FAILED' : ''}`.trimEnd());
  for (const { outcome } of runs) for (const test of outcome.flaky) console.error(`Flaky: ${test}`);
  const failures = runs.flatMap(({ outcome }) => outcome.failed);
  for (const failure of failures) console.error(`Failed: ${failure}`);
  console.error(`${runs.reduce((sum, { outcome }) => sum + outcome.passed, 0)} passed, ${failures.length} failed`);
  return runs.every(({ failed }) => !failed);
}
