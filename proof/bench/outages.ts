import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Rows } from './figures.ts';
import type { Stage } from './stage.ts';

/** Outages under load, as a check that passes or fails: `proof/outages.check.ts` prints the times to service itself. */
export async function measure({ ends }: Stage): Promise<Rows> {
  const root = path.resolve(import.meta.dirname, '../..');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const check = spawn(process.execPath, [vitest, 'run', '--config', 'proof/vitest.config.ts', 'outages'], {
    cwd: root,
    stdio: 'inherit',
  });
  ends.add(() => check.kill());
  const [code] = (await once(check, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the check ended with ${code}`);
  return { 'tickets lost': { measured: 0, 'asked for': '≤ 0', holds: 'yes' } };
}
