import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import type { Outcome } from './outcome.ts';

export interface Suite {
  name: string;
  command: string;
  /**
   * Usual processor time, as a multiple of that of the yardstick in the same run, since machines differ: about one and a
   * half times the use on two idle cores. More is a warning.
   */
  budget?: number;
  yardstick?: boolean;
}

/** Flaky tests that a run may have. */
export const flakyAllowed = 5;

interface Run {
  suite: Suite;
  outcome: Outcome;
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

/** Of a suite without tests of its own, such as the types, or of one that did not come to its end: one check. */
function readOutcome(file: string, failed: boolean): Outcome {
  let lines = '';
  try {
    lines = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const outcome: Outcome = lines ? JSON.parse(lines) : { passed: failed ? 0 : 1, failed: failed ? 1 : 0, flaky: [] };
  return failed && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}

async function run(suite: Suite, output: 'shown' | 'shown at the end'): Promise<Run> {
  const from = performance.now();
  const shown = output === 'shown';
  const folder = mkdtempSync(path.join(tmpdir(), 'guichet-suite-'));
  const outcomeFile = path.join(folder, 'outcome');
  const child = spawn('sh', ['-c', `(${suite.command}); status=$?; times >&3; exit $status`], {
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe', 'pipe'],
    env: { ...process.env, OUTCOME_FILE: outcomeFile },
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
  const failed = status !== 0;
  if (failed) process.stderr.write(out + errors);
  const outcome = readOutcome(outcomeFile, failed);
  rmSync(folder, { recursive: true });
  return { suite, outcome, failed, seconds: (performance.now() - from) / 1_000, processor: readTimes(times) };
}

async function runLane(suites: Suite[], output: Parameters<typeof run>[1]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const suite of suites) runs.push(await run(suite, output));
  return runs;
}

/**
 * Runs the stages one after another, the lanes of a stage side by side, and the suites of a lane in turn; ends at the first
 * stage that fails, with CI set at the last. Prints each suite's times, the flaky tests and, last, `N passed, N failed`.
 * Answers whether all passed, with no more flaky tests than allowed.
 */
export async function runStages(stages: Suite[][][]): Promise<boolean> {
  const from = performance.now();
  const runs: Run[] = [];
  for (const lanes of stages) {
    if (!process.env.CI && runs.some(({ failed }) => failed)) break;
    const ran = await Promise.all(
      lanes.map((lane, index) => runLane(lane, index === 0 ? 'shown' : 'shown at the end')),
    );
    runs.push(...ran.flat());
  }
  const yardstick = runs.find(({ suite }) => suite.yardstick)?.processor;
  for (const { suite, failed, seconds, processor } of runs) {
    const budget = yardstick && suite.budget ? yardstick * suite.budget : Number.POSITIVE_INFINITY;
    const of = Number.isFinite(budget) ? ` of ${budget.toFixed(0).padStart(4)}` : '';
    const verdict = failed ? 'FAILED' : processor > budget ? 'more than usual' : '';
    console.error(
      `${suite.name.padEnd(29)}${seconds.toFixed(0).padStart(5)} s${processor.toFixed(0).padStart(7)}${of} processor seconds  ${verdict}`.trimEnd(),
    );
  }
  console.error(`${'all'.padEnd(29)}${((performance.now() - from) / 1_000).toFixed(0).padStart(5)} s`);
  const flaky = runs.flatMap(({ outcome }) => outcome.flaky);
  const tooMany = flaky.length > flakyAllowed;
  if (flaky.length > 0)
    console.error(
      `Flaky: ${flaky.length} passed at a later try${tooMany ? `, more than ${flakyAllowed} FAIL the run` : ''}.`,
    );
  for (const { test, place, error } of flaky) console.error(`  ${place}  ${test}\n    ${error}`);
  const total = (count: (outcome: Outcome) => number) => runs.reduce((sum, { outcome }) => sum + count(outcome), 0);
  const failed = total((outcome) => outcome.failed) + (tooMany ? 1 : 0);
  console.error(`${total(({ passed }) => passed)} passed, ${failed} failed`);
  return failed === 0;
}
