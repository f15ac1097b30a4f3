// Runs the suites of `npm run check` or, without an argument, of `npm test`.
import { runStages, type Suite } from './suites.ts';

const typescript = 'node node_modules/@typescript/native/bin/tsc -p';
const checks: Suite[] = [
  { name: 'types', command: `${typescript} . && ${typescript} web && ${typescript} web/worker` },
  { name: 'lint and format', command: 'biome check --error-on-warnings .' },
  { name: 'dead code', command: 'knip' },
  { name: 'imports, documents', command: 'node architecture/check.ts' },
];
const unit: Suite = { name: 'unit and API tests', command: 'vitest run' };
const browser: Suite = { name: 'browser tests', command: 'playwright test' };

const stages = process.argv[2] === 'check' ? [[checks]] : [[[unit], checks], [[browser]]];
process.exitCode = (await runStages(stages)) ? 0 : 1;
