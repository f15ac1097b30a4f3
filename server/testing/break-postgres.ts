import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { postgresFolder, postgresPid } from './server-process.ts';

export interface SmallDisk {
  /** Whether there is one: not everybody may mount. */
  limited: boolean;
  /** Fails where a PostgreSQL still runs on it. */
  unmount(): void;
}

/** Where we may mount, the data folder becomes a disk of so few bytes that it can be filled, or as `options` say. */
export function mountSmallDisk(folder: string, options = 'size=200m'): SmallDisk {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=755`, 'guichet-test', folder]);
  return {
    limited: mounted.status === 0,
    unmount() {
      if (mounted.status === 0) expect(spawnSync('umount', [folder], { encoding: 'utf8' }).stderr).toBe('');
    },
  };
}

/** Ends PostgreSQL, which cannot start again until what is answered is called. */
export function closeJournal(folder: string): () => void {
  const journal = path.join(postgresFolder(folder), 'pg_wal');
  chmodSync(journal, 0);
  process.kill(postgresPid(folder) as number, 'SIGKILL');
  return () => chmodSync(journal, 0o700);
}
