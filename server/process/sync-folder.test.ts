import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { syncFolder } from './sync-folder.ts';

test('a folder that cannot be synced is said, but where its file system has nothing to sync', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'guichet-sync-'));
  await syncFolder(folder);
  await rm(folder, { recursive: true });
  await expect(syncFolder(folder)).rejects.toThrow('ENOENT');
  if (process.platform === 'linux') await syncFolder('/proc/self');
});
