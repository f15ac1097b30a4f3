import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Builds the web app where it is older than the tree, so that one test run alone judges what stands there. */
export default function buildIfStale(): void {
  execFileSync(process.execPath, [path.resolve(import.meta.dirname, '../scripts/prepare.mjs'), 'start'], {
    stdio: ['ignore', 2, 2],
  });
}
