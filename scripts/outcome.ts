// What a run of tests comes to, for `scripts/suites.ts`: a reporter for Vitest and, by default, one for Playwright. Each
// writes JSON to the file that OUTCOME_FILE names.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Suite as PlaywrightSuite, Reporter } from '@playwright/test/reporter';
import type { Reporter as VitestReporter } from 'vitest/node';

/** Further tries of a failed test where the main branch is judged; by hand, a failure is seen at once. */
export const retries = process.env.CI ? 2 : 0;

export interface Outcome {
  passed: number;
  /** Failed tests, files that could not be loaded, and errors that no test handled. */
  failed: number;
  /** Tests that passed at a later try, among the passed ones: place, name and the first failure's first line. */
  flaky: string[];
}

const lineOf = (name: string, file: string, error = '') =>
  `${path.relative(process.cwd(), file)}: ${name}: ${error.split('\n')[0]}`;

function write(outcome: Outcome): void {
  const { OUTCOME_FILE: file } = process.env;
  if (file) writeFileSync(file, JSON.stringify(outcome));
}

export const vitestOutcome: VitestReporter = {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const isIn = (state: string) => tests.filter((test) => test.result().state === state).length;
    write({
      passed: isIn('passed'),
      failed: isIn('failed') + modules.filter((each) => each.errors().length > 0).length + unhandled.length,
      flaky: tests
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => lineOf(test.fullName, test.module.moduleId, test.result().errors?.[0]?.message)),
    });
  },
};

export default class PlaywrightOutcome implements Reporter {
  #all: PlaywrightSuite | undefined;
  /** Errors outside of tests, such as a file that cannot be loaded. */
  #errors = 0;

  onBegin(_config: unknown, all: PlaywrightSuite): void {
    this.#all = all;
  }

  onError(): void {
    this.#errors += 1;
  }

  onEnd(): void {
    const tests = this.#all?.allTests() ?? [];
    const ended = (...outcomes: string[]) => tests.filter((test) => outcomes.includes(test.outcome()));
    write({
      passed: ended('expected', 'flaky').length,
      failed: ended('unexpected').length + this.#errors,
      flaky: ended('flaky').map((test) => lineOf(test.title, test.location.file, test.results[0]?.error?.message)),
    });
  }
}
