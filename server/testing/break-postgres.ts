import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { expect } from 'vitest';
import { DatabaseClient } from '#server/database/connect.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { findPostmaster, isPostmaster } from '#server/database/embedded/postmaster.ts';
import { eventually } from './eventually.ts';
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

/** Ends PostgreSQL and all its processes at once, as a host out of memory may. */
export function killAll(folder: string): void {
  killTree(postgresPid(folder) as number);
}

interface Listed {
  pid: number;
  parent: number;
  command: string;
}

function listProcesses(): Listed[] {
  return spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, ...command] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
    });
}

/** Ends a process and all below it at once. */
function killTree(root: number): void {
  const listed = listProcesses();
  const below = (pid: number): number[] =>
    listed.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  for (const pid of [root, ...below(root)])
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
}

/** Ends PostgreSQL, which cannot start again until what is answered is called. */
export function closeJournal(folder: string): () => void {
  const journal = path.join(postgresFolder(folder), 'pg_wal');
  chmodSync(journal, 0);
  process.kill(postgresPid(folder) as number, 'SIGKILL');
  return () => chmodSync(journal, 0o700);
}

/** Ends PostgreSQL by a full disk; answers how to make room. */
export async function fillDisk(folder: string, disk: SmallDisk): Promise<() => void> {
  // Where nobody lets us mount a disk to fill, the journal is closed to it instead.
  if (!disk.limited) return closeJournal(folder);
  const postmaster = postgresPid(folder) as number;
  const filler = path.join(folder, 'filler');
  // Connected beforehand: on a full disk nobody is let in, and nothing is written.
  await withSuperuser(folder, async (client) => {
    expect(() => {
      for (;;) appendFileSync(filler, Buffer.alloc(1024 * 1024));
    }).toThrow('ENOSPC');
    // The journal needs a new file sooner or later; this has it need one now.
    const writing = (async () => {
      for (;;)
        await client.query(
          "select pg_logical_emit_message(false, 'test', repeat('x', 1000000)) from generate_series(1, 40)",
        );
    })();
    await expect(writing).rejects.toThrow();
  });
  // Its first process tries to go on by itself, and gives up too: only then is it for us to start it again.
  await eventually(() => expect(isPostmaster(postmaster, postgresFolder(folder))).toBe(false));
  return () => rmSync(filler);
}

async function withSuperuser(folder: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const { host, port } = findPostmaster({ dataFolder: postgresFolder(folder) }) ?? {};
  const password = readFileSync(path.join(findHome(folder), 'postgres-password'), 'utf8');
  const client = new DatabaseClient({ host, port, user: 'postgres', database: 'postgres', password });
  await client.connect();
  await work(client).finally(() => client.end().catch(() => {}));
}
