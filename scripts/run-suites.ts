// Runs the suites of `npm run check`, `npm test` and `npm run test:slow`: `run-suites.ts <check | everyday | slow>…`.
import { runStages, type Suite } from './suites.ts';

const typescript = 'node node_modules/@typescript/native/bin/tsc -p';
const types: Suite = { name: 'types', command: `${typescript} .`, yardstick: true };
const checks: Suite[] = [
  { name: 'types of the web app', command: `${typescript} web && ${typescript} web/worker`, budget: 0.5 },
  { name: 'lint and format', command: 'biome check --error-on-warnings .', budget: 1 },
  { name: 'dead code', command: 'knip', budget: 0.5 },
  { name: 'imports, documents', command: 'node architecture/check.ts', budget: 0.7 },
];
const unit: Suite = {
  name: 'unit and API tests',
  command: 'vitest run --project files --project processes',
  budget: 20,
};
const browser: Suite = { name: 'browser tests', command: 'playwright test', budget: 20 };
const slowUnit: Suite = { name: 'slow unit and API tests', command: 'vitest run --project slow' };
const proofTypes: Suite = {
  name: 'types of proof/',
  command: `node scripts/prepare.mjs proof && ${typescript} proof`,
};

const tiers: Record<string, Suite[][][]> = {
  check: [[[types], checks]],
  everyday: [[[unit], [types, ...checks]], [[browser]]],
  slow: [[[proofTypes]], [[slowUnit]]],
};

const stages = process.argv.slice(2).map((tier) => {
  const found = tiers[tier];
  if (!found) throw new Error(`The tiers are ${Object.keys(tiers).join(', ')}.`);
  return found;
});
process.exitCode = (await runStages(stages.flat())) ? 0 : 1;
