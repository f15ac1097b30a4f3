import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requireFolder } from '../server/process/folders.ts';
import { eventually } from '../server/testing/eventually.ts';
import { acknowledgedTo, expectNothingLost, type Filer, prepareFilers, untilFiled } from '../server/testing/filing.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  type HttpClient,
  postgresPid,
  query,
  type ServerProcess,
  startServer,
  untilPostgresIsNew,
} from '../server/testing/server-process.ts';

/** How soon tickets are to be filed again after the end of a cause. */
const promisedMs = 10_000;
vi.setConfig({ testTimeout: 600_000 });

let folder: string;
let server: ServerProcess;
let admin: HttpClient;
let filers: Filer[];

beforeAll(async () => {
  folder = createDataFolder();
  // A disk that can be filled. It takes root to mount one.
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'guichet-outages', folder]);
  server = await startServer(folder, { RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' });
  admin = await callAsAdministrator(server);
  const phones = Array.from({ length: 8 }, (_, index) => `+2267010000${index}`);
  filers = await prepareFilers(admin, { port: server.port, folder, phones });
});
afterAll(async () => {
  await server?.end('SIGTERM');
  execFileSync('umount', [folder]);
  await cleanUp();
});

/** Ends the postmaster, and with `all` its children at the same moment, as a host out of memory may. */
function killPostgres(pid: number, all: boolean): void {
  const children = all ? execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }) : '';
  for (const each of [String(pid), ...children.split('\n').filter(Boolean)])
    try {
      process.kill(Number(each), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
}

/** Ends PostgreSQL by a full disk; answers how to make room. */
async function fillDisk(): Promise<() => void> {
  const killed = postgresPid(folder) as number;
  const filler = path.join(folder, 'filler');
  // All but half of what the next file of its journal takes; then it needs one.
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - 8 * 1_024 * 1_024));
  const write = async () => {
    for (;;)
      await query(
        folder,
        "select pg_logical_emit_message(false, 'test', repeat('x', 1000000)) from generate_series(1, 40)",
      );
  };
  await expect(write()).rejects.toThrow();
  await eventually(() => expect(() => process.kill(killed, 0)).toThrow());
  return () => rmSync(filler);
}

test('PostgreSQL killed ten times at random under load, and its disk filled twice: nothing acknowledged is lost', async () => {
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  const times: { outage: string; seconds: number }[] = [];
  const note = async (outage: string, since = performance.now()) => {
    await untilFiled(filers, 1);
    times.push({ outage, seconds: Math.round(performance.now() - since) / 1_000 });
  };
  for (let round = 1; round <= 10; round += 1) {
    await untilFiled(filers, 10 + ((round * 67) % 200));
    const killed = postgresPid(folder) as number;
    killPostgres(killed, round % 2 === 0);
    const since = performance.now();
    // What was under way may still be answered: the first answer of the new one counts.
    await untilPostgresIsNew(folder, killed);
    await note(round % 2 === 0 ? 'all processes killed' : 'postmaster killed', since);
  }
  for (const _ of [1, 2]) {
    await untilFiled(filers, 50);
    const makeRoom = await fillDisk();
    makeRoom();
    await note('disk filled, since there is room');
  }
  await untilFiled(filers, 50);
  stop.now = true;
  await Promise.all(load);
  console.table(times);
  console.log(`${acknowledgedTo(filers).length} tickets acknowledged.`);
  await expectNothingLost(admin, folder, filers);
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
  expect(times.filter(({ seconds }) => seconds * 1_000 > promisedMs)).toEqual([]);
  expect((await admin.send('GET', '/api/health/live')).status).toBe(200);
});

/** Has a folder on a disk of its own while something is checked. */
function onDisk(options: string, check: (folder: string) => void): void {
  const disk = mkdtempSync(path.join(os.tmpdir(), 'guichet-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=755`, 'guichet-outages', disk]);
  try {
    check(disk);
  } finally {
    execFileSync('umount', [disk]);
    rmdirSync(disk);
  }
}

test('the folder of a setting is refused on a disk that is only read, and taken on one that is merely full', () => {
  onDisk('size=1m,ro', (disk) =>
    expect(() => requireFolder('BACKUP_DIR', disk)).toThrow('ce disque est en lecture seule'),
  );
  onDisk('size=4k', (disk) => {
    expect(() => writeFileSync(path.join(disk, 'full'), Buffer.alloc(8_192))).toThrow('ENOSPC');
    expect(requireFolder('BACKUP_DIR', disk)).toBe(disk);
  });
});
