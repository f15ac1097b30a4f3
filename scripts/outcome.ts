// What a run of tests comes to, for `scripts/suites.ts`: a reporter for Vitest and, by default, one for Playwright. Each
// writes JSON to the file that OUTCOME_FILE names.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type {
  Suite as PlaywrightSuite,
  TestCase as PlaywrightTest,
  Reporter,
  TestError,
} from '@playwright/test/reporter';
import type { TestCase, Reporter as VitestReporter } from 'vitest/node';

/** Further tries of a failed test where the main branch is judged; by hand, a failure is seen at once. */
export const retries = process.env.CI ? 2 : 0;

export interface Outcome {
  passed: number;
  /** Failed tests, files and groups that could not be set up, and errors that no test handled: place, name, first line. */
  failed: string[];
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
    const isIn = (state: string) => tests.filter((test) => test.result().state === state);
    const lineOfTest = (test: TestCase) =>
      lineOf(test.fullName, test.module.moduleId, test.result().errors?.[0]?.message);
    // What their own hooks or, of a file, its head threw; its tests count nowhere.
    const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    write({
      passed: isIn('passed').length,
      failed: [
        ...isIn('failed').map(lineOfTest),
        ...groups.flatMap((group) =>
          group
            .errors()
            .map(({ message }) =>
              group.type === 'module'
                ? lineOf('set-up', group.moduleId, message)
                : lineOf(group.fullName, group.module.moduleId, message),
            ),
        ),
        ...unhandled.map(
          ({ message, stack }) => `nobody handled: ${message.split('\n')[0]} ${stack?.split('\n')[1] ?? ''}`,
        ),
      ],
      flaky: tests.filter((test) => test.diagnostic()?.flaky).map(lineOfTest),
    });
  },
};

export default class PlaywrightOutcome implements Reporter {
  #all: PlaywrightSuite | undefined;
  /** Errors outside of tests, such as a file that cannot be loaded. */
  readonly #errors: string[] = [];

  onBegin(_config: unknown, all: PlaywrightSuite): void {
    this.#all = all;
  }

  onError({ message, location }: TestError): void {
    this.#errors.push(lineOf('set-up', location?.file ?? '', message));
  }

  onEnd(): void {
    const tests = this.#all?.allTests() ?? [];
    const ended = (...outcomes: string[]) => tests.filter((test) => outcomes.includes(test.outcome()));
    const lineOfTest = ({ title, location, results }: PlaywrightTest) =>
      lineOf(title, location.file, results[0]?.error?.message);
    write({
      passed: ended('expected', 'flaky').length,
      failed: [...ended('unexpected').map(lineOfTest), ...this.#errors],
      flaky: ended('flaky').map(lineOfTest),
    });
  }
}
