// What a run of tests comes to, for `scripts/suites.ts`: a reporter for Vitest and, by default, one for Playwright. Each
// appends a line of JSON to the file that OUTCOME_FILE names.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { FullConfig, Suite as PlaywrightSuite, Reporter } from '@playwright/test/reporter';
import type { Reporter as VitestReporter } from 'vitest/node';

/** Further tries of a failed test where the main branch is judged; by hand, a failure is seen at once. */
export const retries = process.env.CI ? 2 : 0;

export interface Outcome {
  passed: number;
  /** Failed tests, files that could not be loaded, and errors that no test handled. */
  failed: number;
  /** Tests that passed at a later try, among the passed ones. */
  flaky: Flaky[];
}

interface Flaky {
  test: string;
  /** `file:line`, from the root. */
  place: string;
  /** The first line of the first failure. */
  error: string;
}

const flakyTest = (test: string, file: string, line: number | undefined, error: string | undefined): Flaky => ({
  test,
  place: `${path.relative(process.cwd(), file)}:${line ?? 1}`,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colours begin with one.
  error: (error ?? 'unknown').replaceAll(/\u001B\[[\d;]*m/g, '').split('\n')[0] ?? '',
});

function write(outcome: Outcome): void {
  const { OUTCOME_FILE: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
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
        .map((test) =>
          flakyTest(test.fullName, test.module.moduleId, test.location?.line, test.result().errors?.[0]?.message),
        ),
    });
  },
};

export default class PlaywrightOutcome implements Reporter {
  #all: PlaywrightSuite | undefined;
  /** Errors outside of tests, such as a file that cannot be loaded. */
  #errors = 0;

  onBegin(_config: FullConfig, all: PlaywrightSuite): void {
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
      flaky: ended('flaky').map((test) =>
        flakyTest(test.title, test.location.file, test.location.line, test.results[0]?.error?.message),
      ),
    });
  }
}
