import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { watchLimits } from '#server/process/watch-limits.ts';

/** The bytes of a folder's disk; nothing of one that is not there, or does not answer in time. */
export type ReadDisk = (folder: string) => Promise<{ free: number; total: number } | undefined>;

/** Asks no disk that has not answered yet: each question more would hold one of the threads that files are read with. */
export function openDiskReader(read = statDisk): ReadDisk {
  const silent = new Set<string>();
  return async (folder) => {
    if (silent.has(folder)) return undefined;
    silent.add(folder);
    const answer = read(folder)
      .catch(() => undefined)
      .finally(() => silent.delete(folder));
    const late = new AbortController();
    const inTime = pause(watchLimits.disk.answerMs, undefined, late).catch(() => undefined);
    return Promise.race([answer, inTime]).finally(() => late.abort());
  };
}

async function statDisk(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
