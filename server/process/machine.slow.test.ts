import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { findPostmaster } from '#server/database/embedded/postmaster.ts';
import {
  chooseAccount,
  copyPrograms,
  findPrograms,
  processOptions,
  runProgram,
} from '#server/database/embedded/programs.ts';
import { mountSmallDisk } from '#server/testing/break-postgres.ts';
import { eventually } from '#server/testing/eventually.ts';
import {
  cleanUp,
  createDataFolder,
  createPrivateFolder,
  HttpClient,
  keepTrackOf,
  killPostgres,
  postgresFolder,
  postgresPid,
  runServer,
  startServer,
} from '#server/testing/server-process.ts';
import { databaseLimits } from './limits.ts';

const asRoot = process.getuid?.() === 0;
let folder: string;

beforeAll(async () => {
  folder = createDataFolder();
  expect((await (await startServer(folder)).end('SIGTERM')).code).toBe(0);
});
afterAll(cleanUp);

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** A start that is refused in one French sentence with these in it. */
async function expectRefusal(settings: Record<string, string>, ...parts: string[]): Promise<void> {
  const exit = await runServer({ PORT: '0', ...settings });
  expect(exit).toMatchObject({ code: 1, stdout: '' });
  expect(exit.stderr.trim().split('\n')).toEqual([expect.stringMatching(/^\p{Lu}.*[.)]$/u)]);
  for (const part of parts) expect(exit.stderr).toContain(part);
}

test.each([
  ['size=12m', 'Mo de libres, et une base de données neuve en demande 64'],
  ['size=100m,ro', '(EROFS) : ce disque est en lecture seule'],
])('a disk of %s is told in one sentence', async (options, part) => {
  const small = createDataFolder();
  const disk = mountSmallDisk(small, options);
  // Only who may mount has such a disk.
  try {
    if (disk.limited) await expectRefusal({ DATA_DIR: small }, small, part);
  } finally {
    disk.unmount();
  }
});

describe('what the start makes', () => {
  test.each(['077', '000'])('under umask %s it starts, and others may read and change nothing of it', async (umask) => {
    const made = keepTrackOf(path.join(createDataFolder(), 'data'));
    const server = await startServer(made, {}, umask);
    expect((await new HttpClient(server.port).send('GET', '/api/health/ready')).status).toBe(200);
    expect(findHome(made)).toBe(made);
    for (const secret of ['postgres-password', 'database-password', 'session-secret'])
      expect([secret, modeOf(path.join(made, secret))]).toEqual([secret, '600']);
    expect(modeOf(path.join(made, 'postgres'))).toBe('700');
    expect(modeOf(findPostmaster({ dataFolder: path.join(made, 'postgres') })?.host ?? '')).toBe('700');
    for (const name of ['.', 'guichet.json'])
      expect([name, statSync(path.join(made, name)).mode & 0o022]).toEqual([name, 0]);
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  test('the programs are copied once for all, so that any account can run them and only ours change them', async () => {
    const under = createDataFolder();
    const own = await findPrograms();
    // As they may have been installed: closed to others in one place, open to their changes in another.
    const from = path.resolve(own.postgres, '../../..');
    const installed = path.join(createDataFolder(), 'package');
    cpSync(from, installed, { recursive: true, verbatimSymlinks: true });
    const [initdb = '', postgres = ''] = [own.initdb, own.postgres].map((program) =>
      path.join(installed, path.relative(from, program)),
    );
    const programs = { initdb, postgres };
    chmodSync(path.dirname(postgres), 0o700);
    chmodSync(postgres, 0o777);
    const before = process.umask(0o077);
    const copied = copyPrograms(programs, under);
    process.umask(before);
    expect(copied.postgres.startsWith(`${under}/guichet-programs-`)).toBe(true);
    await runProgram(copied.postgres, ['--version'], chooseAccount());
    expect([path.dirname(copied.postgres), copied.postgres].map(modeOf)).toEqual(['755', '755']);
    expect(statSync(copied.postgres)).toMatchObject({ uid: process.getuid?.() });
    // A new file may have the number of the old one.
    const { ino, ctimeMs } = statSync(copied.postgres);
    expect(copyPrograms(programs, under)).toEqual(copied);
    expect(statSync(copied.postgres)).toMatchObject({ ino, ctimeMs });
  });
});

describe('the way to the database', () => {
  // Each is refused for one reason alone.
  const ours = chooseAccount()?.uid ?? process.getuid?.() ?? -1;
  test.each([
    { laid: 'open to everybody', mode: 0o777, owner: ours },
    ...(asRoot ? [{ laid: 'with an owner of its own', mode: 0o700, owner: 54321 }] : []),
  ])('a folder that somebody else laid where the socket was is not used: one $laid', async ({ mode, owner }) => {
    const last = readFileSync(path.join(folder, 'socket-folder'), 'utf8').trim();
    expect(existsSync(last)).toBe(false);
    mkdirSync(last);
    chmodSync(last, mode);
    if (asRoot) chownSync(last, owner, owner);
    const server = await startServer(folder);
    const { host = '' } = findPostmaster({ dataFolder: postgresFolder(folder) }) ?? {};
    expect(host).not.toBe(last);
    expect(modeOf(host)).toBe('700');
    expect(statSync(host).uid).toBe(statSync(postgresFolder(folder)).uid);
    expect([statSync(last).mode & 0o777, statSync(last).uid]).toEqual([mode, owner]);
    expect((await server.end('SIGTERM')).code).toBe(0);
    rmSync(last, { recursive: true });
  });

  test('a temporary folder in which everybody can replace everything is refused', async () => {
    const open = createPrivateFolder();
    chmodSync(open, 0o777);
    await expectRefusal({ DATA_DIR: folder, TMPDIR: open }, open, 'TMPDIR');
    chmodSync(open, 0o1777);
    expect((await (await startServer(folder, { TMPDIR: open })).end('SIGTERM')).code).toBe(0);
  });

  test('the superuser and the application have a password each, also where the file of one is lost', async () => {
    const passwordOf = (name: string) => readFileSync(path.join(folder, `${name}-password`), 'utf8');
    rmSync(path.join(folder, 'database-password'));
    const server = await startServer(folder);
    expect(passwordOf('database')).not.toBe(passwordOf('postgres'));
    const { host, port } = findPostmaster({ dataFolder: postgresFolder(folder) }) ?? {};
    const enter = async (user: string, password: string) => {
      const client = new pg.Client({ host, port, user, password, database: 'postgres' });
      await client.connect();
      await client.end();
    };
    await expect(enter('postgres', passwordOf('postgres'))).resolves.toBeUndefined();
    await expect(enter('guichet', passwordOf('database'))).resolves.toBeUndefined();
    await expect(enter('postgres', passwordOf('database'))).rejects.toMatchObject({ code: '28P01' });
    await expect(enter('guichet', passwordOf('postgres'))).rejects.toMatchObject({ code: '28P01' });
    expect((await server.end('SIGTERM')).code).toBe(0);
  });
});

describe('what an accident left', () => {
  test('a postmaster.pid that names a living process of the same account does not keep PostgreSQL from starting', async () => {
    const server = await startServer(folder);
    const file = path.join(postgresFolder(folder), 'postmaster.pid');
    const left = readFileSync(file, 'utf8');
    expect((await server.end('SIGKILL')).code).toBeNull();
    await killPostgres(folder);
    const sleeper = spawn('sleep', ['600'], { ...processOptions(chooseAccount()), stdio: 'ignore' });
    try {
      await once(sleeper, 'spawn');
      writeFileSync(file, left.replace(/^\d+/, String(sleeper.pid)).replace(/\w+\s*$/, 'ready\n'));
      const again = await startServer(folder);
      expect(postgresPid(folder)).not.toBe(sleeper.pid);
      expect((await new HttpClient(again.port).send('GET', '/api/health/ready')).status).toBe(200);
      expect((await again.end('SIGTERM')).code).toBe(0);
      expect(sleeper.exitCode ?? sleeper.signalCode).toBeNull();
    } finally {
      sleeper.kill('SIGKILL');
    }
  });

  test('the log of PostgreSQL is cut to its end at the start and while it runs', async () => {
    const log = path.join(postgresFolder(folder), 'server.log');
    const line = `${'x'.repeat(99)}\n`;
    const grow = () => appendFileSync(log, line.repeat(Math.ceil((1.5 * databaseLimits.logBytes) / line.length)));
    grow();
    // Alone, as a command starts it, so that nobody looks after it meanwhile.
    const alone = await startEmbeddedDatabase(folder);
    expect(statSync(log).size).toBeLessThanOrEqual(databaseLimits.logBytes);
    expect(readFileSync(log, 'utf8')).toContain('ready to accept connections');
    await alone.stop();
    const server = await startServer(folder);
    process.kill(server.pid, 'SIGSTOP');
    grow();
    expect(statSync(log).size).toBeGreaterThan(databaseLimits.logBytes);
    process.kill(server.pid, 'SIGCONT');
    await eventually(() => expect(statSync(log).size).toBeLessThanOrEqual(databaseLimits.logBytes));
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  test('a DATA_DIR that is a file, below one, or where the system makes no folders, is refused with a sentence', async () => {
    const file = path.join(createDataFolder(), 'a-file');
    writeFileSync(file, 'kept');
    for (const dataDir of [file, path.join(file, 'below'), '/proc/guichet/data'])
      await expect(startEmbeddedDatabase(dataDir)).rejects.toThrow(
        expect.objectContaining({
          name: 'Error',
          message: expect.stringMatching(/^Le dossier DATA_DIR \S+ ne peut pas être créé ni lu : .*\.$/),
        }),
      );
    await expectRefusal({ DATA_DIR: '/proc/guichet/data' }, '/proc/guichet/data');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });
});
