import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A test that fails at its first try. */
const failing = (name: string, runner: 'vitest' | '@playwright/test') => `
import { expect, test } from '${runner}';
import { existsSync, writeFileSync } from 'node:fs';
test('${name}', () => {
  const tried = new URL('./${name}.tried', import.meta.url);
  const isSecond = existsSync(tried);
  writeFileSync(tried, '');
  expect(isSecond, 'the planted fault').toBe(true);
});
`;

/** Runs planted test files as suites of their own, with the settings of ours, and answers what a person would see. */
async function runPlanted(files: Record<string, string>) {
  // Below the root, where packages are found, and outside of node_modules, where TypeScript is not read.
  await mkdir(path.join(root, 'dist'), { recursive: true });
  const folder = await mkdtemp(path.join(root, 'dist/planted-'));
  try {
    const from = path.relative(folder, root);
    const plan = {
      'vitest.config.ts': `
        import { retries, vitestOutcome } from '${from}/scripts/outcome.ts';
        export default { test: { include: ['*.test.ts'], retry: retries, reporters: ['default', vitestOutcome] } };`,
      'playwright.config.ts': `
        import { retries } from '${from}/scripts/outcome.ts';
        export default { testDir: '.', testMatch: '*.spec.ts', retries, reporter: [['list'], ['${from}/scripts/outcome.ts']] };`,
      'run.ts': `
        import { runStages } from '${from}/scripts/suites.ts';
        const suites = [];
        if (${Object.keys(files).some((name) => name.endsWith('.test.ts'))}) suites.push({ name: 'unit', command: 'vitest run' });
        if (${Object.keys(files).some((name) => name.endsWith('.spec.ts'))}) suites.push({ name: 'browser', command: 'playwright test' });
        process.exitCode = (await runStages([suites.map((suite) => [suite])])) ? 0 : 1;`,
    };
    for (const [name, content] of Object.entries({ ...plan, ...files }))
      await writeFile(path.join(folder, name), content);
    // The worker's own variables would make the planted runs part of this one.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|VITE_|TEST|NODE_|FORCE_COLOR$|CI$|DEV$|PROD$)/.test(name),
    );
    const env = {
      ...Object.fromEntries(inherited),
      CI: 'true',
      NO_COLOR: '1',
      PATH: `${root}/node_modules/.bin:${process.env.PATH}`,
    };
    return await new Promise<{ status: number; output: string; lastLine: string }>((resolve) =>
      execFile(process.execPath, ['run.ts'], { cwd: folder, env }, (error, out, errors) =>
        resolve({
          status: Number(error?.code ?? 0),
          output: out + errors,
          lastLine: errors.trimEnd().split('\n').at(-1) ?? '',
        }),
      ),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.concurrent('where main is judged, a test that fails once is listed with its place and first error, and fails nothing', async () => {
  const { status, output, lastLine } = await runPlanted({
    'once.test.ts': failing('once in a unit test', 'vitest'),
    'once.spec.ts': failing('once in a browser', '@playwright/test'),
  });
  expect(output).toMatch(/^Flaky: once\.test\.ts: once in a unit test: .*the planted fault/m);
  expect(output).toMatch(/^Flaky: once\.spec\.ts: once in a browser: .*the planted fault/m);
  expect({ status, lastLine }).toEqual({ status: 0, lastLine: '2 passed, 0 failed' });
});

test.concurrent('a rejection that nothing handled fails the run, and its test file is named', async () => {
  const { status, output, lastLine } = await runPlanted({
    'lost.test.ts': `
        import { test } from 'vitest';
        test('leaves a promise', async () => {
          Promise.reject(new Error('nobody heard'));
          await new Promise((resolve) => setTimeout(resolve));
        });`,
  });
  expect(output).toMatch(/This error originated in ".*lost\.test\.ts" test file/);
  expect(output).toMatch(/^Failed: nobody handled: nobody heard .*lost\.test\.ts/m);
  expect({ status, lastLine }).toEqual({ status: 1, lastLine: '1 passed, 1 failed' });
});

test.concurrent('a file or a group that cannot be set up fails once, by its name and its reason', async () => {
  const { status, output, lastLine } = await runPlanted({
    'head.test.ts':
      "import { test } from 'vitest';\nawait Promise.reject(new Error('no head'));\ntest('one', () => {});",
    'group.test.ts': `
        import { beforeAll, describe, test } from 'vitest';
        test('beside', () => {});
        describe('a group', () => {
          beforeAll(() => Promise.reject(new Error('no group')));
          test('one', () => {});
          test('two', () => {});
        });`,
  });
  expect(output).toMatch(/^Failed: head\.test\.ts: set-up: no head$/m);
  expect(output).toMatch(/^Failed: group\.test\.ts: a group: no group$/m);
  expect({ status, lastLine }).toEqual({ status: 1, lastLine: '1 passed, 2 failed' });
});
