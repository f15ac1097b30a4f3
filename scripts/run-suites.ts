// Runs the suites of `npm run check` or, without an argument, of `npm test`.
import { runStages, type Suite } from './suites.ts';

const typescript = 'node node_modules/@typescript/native/bin/tsc -p';
const types: Suite = { name: 'types', command: `${typescript} .`, yardstick: true };
const checks: Suite[] = [
  { name: 'types of the web app', command: `${typescript} web && ${typescript} web/worker`, budget: 0.5 },
  { name: 'lint and format', command: 'biome check --error-on-warnings .', budget: 1 },
  { name: 'dead code', command: 'knip', budget: 0.5 },
  { name: 'imports, documents', command: 'node architecture/check.ts', budget: 0.7 },
];
const unit: Suite = { name: 'unit and API tests', command: 'vitest run', budget: 20 };
const browser: Suite = { name: 'browser tests', command: 'playwright test', budget: 20 };

const stages = process.argv[2] === 'check' ? [[[types], checks]] : [[[unit], [types, ...checks]], [[browser]]];
process.exitCode = (await runStages(stages)) ? 0 : 1;
