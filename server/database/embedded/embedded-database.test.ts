import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CannotStart } from '#server/process/cannot-start.ts';
import { askOn as ask } from '#server/testing/empty-place.ts';
import { eventually } from '#server/testing/eventually.ts';
import { cleanUp, createDataFolder, keepTrackOf } from '#server/testing/server-process.ts';
import { findHome } from './data-folder.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts';
import { findPostmaster } from './postmaster.ts';
import { chooseAccount, copyPrograms, findPrograms, runProgram } from './programs.ts';

const asRoot = process.getuid?.() === 0;
const account = chooseAccount();
const everything = ['database-password', 'guichet.json', 'guichet.lock', 'postgres', 'postgres-password'];
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

async function whileStarted(folder: string, work: (database: EmbeddedDatabase) => unknown): Promise<void> {
  const database = await startEmbeddedDatabase(folder);
  try {
    await work(database);
  } finally {
    await database.stop();
  }
}

/** The data folder of a shop that is closed. */
let shop: string;
beforeAll(async () => {
  shop = createDataFolder();
  await whileStarted(shop, ({ config }) => ask(config, "create table sign as select 'ouvert' as it"));
});
afterAll(cleanUp);

const expectShop = (folder: string) =>
  whileStarted(folder, async ({ config }) =>
    expect(await ask(config, 'select it from sign')).toEqual([{ it: 'ouvert' }]),
  );

/** Copies the shop, as root or anyone does who puts a backup back. */
function copyShop(to = createDataFolder()): string {
  cpSync(shop, to, { recursive: true });
  return to;
}

/** A start that says in one sentence what is wrong, makes no database, and leaves nothing running. */
async function expectRefusal(folder: string, ...parts: string[]): Promise<void> {
  const refusal: unknown = await startEmbeddedDatabase(folder).then(
    async (database) => database.stop(),
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(CannotStart);
  const { message } = refusal as CannotStart;
  expect(message).toMatch(/^\p{Lu}.*[.)]$/u);
  for (const part of parts) expect(message).toContain(part);
  expect(findPostmaster({ dataFolder: path.join(folder, 'postgres') })).toBeUndefined();
}

describe('a data folder', () => {
  test('holds everything, for its owner alone, and opens again where it is copied to', async () => {
    expect(readdirSync(shop).sort()).toEqual(everything);
    for (const secret of ['postgres-password', 'database-password'])
      expect(modeOf(path.join(shop, secret))).toBe('600');
    const copy = copyShop();
    await expectShop(copy);
    expect(readdirSync(copy).sort()).toEqual(everything);
  });

  test("may have any name, also one too long for a socket, and is one instance's", async () => {
    const before = process.umask(0o077);
    const folder = keepTrackOf(path.join(createDataFolder(), `l'été "$HOME" \`id\``, 'd'.repeat(90)));
    let host = '';
    try {
      await whileStarted(folder, async ({ config, home }) => {
        host = String(config.host);
        expect([home, modeOf(host), modeOf(path.join(home, 'postgres'))]).toEqual([folder, '700', '700']);
        expect(await ask(config, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
        const again = startEmbeddedDatabase(folder);
        await expect(again).rejects.toThrow('Une autre instance de Guichet utilise déjà le dossier');
      });
    } finally {
      process.umask(before);
    }
    expect(existsSync(host)).toBe(false);
  });

  test("that PostgreSQL's account cannot reach names a home that it can, and is never begun anew", async () => {
    const folder = keepTrackOf(path.join(createDataFolder(0o700), 'data'));
    await whileStarted(folder, ({ home }) => expect(home === folder).toBe(!asRoot));
    const home = findHome(folder);
    renameSync(path.join(home, 'postgres'), path.join(home, 'elsewhere'));
    await expectRefusal(folder, path.join(home, 'postgres'), folder);
    if (!asRoot) return;
    expect(home).toMatch(/^\/var\/lib\/guichet-[\da-f]{12}$/);
    // Nor is a shop that was put where PostgreSQL cannot go.
    const closed = path.join(createDataFolder(0o700), 'data');
    mkdirSync(closed);
    await expectRefusal(copyShop(closed), closed, String(account?.name), 'chmod o+x');
  });

  test('whose database others could read, or its owner could not, is closed to others and opened', async () => {
    for (const mode of [0o755, 0o500]) {
      const copy = copyShop();
      chmodSync(path.join(copy, 'postgres'), mode);
      if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, path.join(copy, 'postgres')]);
      await expectShop(copy);
      expect(modeOf(path.join(copy, 'postgres'))).toBe('700');
    }
  });

  test('whose first start was killed is begun anew', async () => {
    const half = createDataFolder();
    mkdirSync(path.join(half, 'postgres.unfinished', 'base'), { recursive: true });
    writeFileSync(path.join(half, 'initdb-password'), 'x');
    await whileStarted(half, () => {});
    expect(readdirSync(half).sort()).toEqual(everything);
  });
});

describe('a start that is refused leaves nothing running, and says why in one sentence:', () => {
  const cut = (name: string) => (folder: string) => truncateSync(path.join(folder, name));
  const write = (name: string, text: string) => (folder: string) => writeFileSync(path.join(folder, name), text);
  const remove = (name: string) => (folder: string) => rmSync(path.join(folder, name), { recursive: true });
  test.each<[string, (folder: string) => void, string]>([
    ['another version', write('postgres/PG_VERSION', '99\n'), 'incompatible'],
    ['no database', remove('postgres'), 'guichet.json'],
    ['an identity that cannot be read', write('guichet.json', '{"version":'), 'guichet.json'],
    ["another superuser's password", write('postgres-password', 'x'.repeat(43)), 'postgres-password'],
    ['an empty password', cut('database-password'), 'database-password'],
    ['a cut control file', cut('postgres/global/pg_control'), 'pg_control'],
  ])('%s', async (_, damage, part) => {
    const folder = copyShop();
    damage(folder);
    await expectRefusal(folder, part);
    // What follows the tests cannot read it either.
    rmSync(path.join(folder, 'guichet.json'));
  });

  test("a database that is another account's", async () => {
    // Only root gives folders away.
    if (!asRoot) return;
    const folder = copyShop();
    const database = path.join(folder, 'postgres');
    chownSync(database, 54321, 54321);
    await expectRefusal(folder, database, '54321', `chown -R ${account?.name}`);
    expect(statSync(database).uid).toBe(54321);
  });

  test("a database with files of another account's: the commands that mend it are named", async () => {
    if (!asRoot || !account) return;
    const folder = copyShop();
    const database = path.join(folder, 'postgres');
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, database]);
    chownSync(path.join(database, 'global/pg_control'), 54321, 54321);
    await expectRefusal(folder, `chown -R ${account.name} ${database}`, `chmod -R u+rwX,go-rwx ${database}`);
  });
});

test('killed, it is up again by itself at the same address', async () => {
  await whileStarted(copyShop(), async ({ config, home, keepUp }) => {
    keepUp({ error() {} }, () => expect.unreachable());
    const killed = findPostmaster({ dataFolder: path.join(home, 'postgres') })?.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await eventually(async () => expect(await ask(config, 'select it from sign')).toEqual([{ it: 'ouvert' }]));
    expect(findPostmaster({ dataFolder: path.join(home, 'postgres') })?.pid).not.toBe(killed);
  });
});

test('a postmaster.pid that names a living process of the same account does not keep PostgreSQL from starting', async () => {
  const folder = copyShop();
  const { uid, gid } = account ?? {};
  const sleeper = spawn('sleep', ['600'], { ...(account && { uid, gid }), cwd: '/', stdio: 'ignore' });
  try {
    await once(sleeper, 'spawn');
    const lines = [
      sleeper.pid,
      path.join(folder, 'postgres'),
      1,
      5432,
      path.join(folder, 'postgres'),
      '',
      '',
      'ready',
      '',
    ];
    writeFileSync(path.join(folder, 'postgres', 'postmaster.pid'), lines.join('\n'));
    await expectShop(folder);
    expect(sleeper.exitCode ?? sleeper.signalCode).toBeNull();
  } finally {
    sleeper.kill('SIGKILL');
  }
});

test('a lost password of the application is made anew, it is no superuser, and the log is that of the last start', async () => {
  const folder = copyShop();
  rmSync(path.join(folder, 'database-password'));
  const log = path.join(folder, 'postgres', 'server.log');
  appendFileSync(log, 'of an earlier start');
  await whileStarted(folder, async ({ config, superuser }) => {
    const isSuperuser = 'select usesuper from pg_user where usename = current_user';
    expect(await ask(config, isSuperuser)).toEqual([{ usesuper: false }]);
    await expect(ask(config, 'select nothing')).rejects.toMatchObject({ code: '42703' });
    await expect(ask({ ...superuser, password: config.password }, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });
  const logged = readFileSync(log, 'utf8');
  expect(logged).not.toContain('of an earlier start');
  // Refused statements say nothing there.
  expect(logged).not.toContain('ERROR');
});

test('the programs are copied once for all, so that any account can run them and only ours change them', async () => {
  const under = createDataFolder();
  const own = await findPrograms(undefined);
  // As they may have been installed: closed to others in one place, open to their changes in another.
  const from = path.resolve(own.postgres, '../../..');
  const installed = path.join(createDataFolder(), 'package');
  cpSync(from, installed, { recursive: true, verbatimSymlinks: true });
  const program = (name: string) => path.join(installed, 'native', 'bin', name);
  const programs = { initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres') };
  chmodSync(path.dirname(programs.postgres), 0o700);
  chmodSync(programs.postgres, 0o777);
  const before = process.umask(0o077);
  const copied = copyPrograms(programs, under);
  process.umask(before);
  expect(copied.postgres.startsWith(`${under}/guichet-programs-`)).toBe(true);
  for (const each of Object.values(copied)) await runProgram(each, ['--version'], account);
  expect([path.dirname(copied.postgres), copied.postgres].map(modeOf)).toEqual(['755', '755']);
  expect(statSync(copied.postgres)).toMatchObject({ uid: process.getuid?.() });
  const { ino, ctimeMs } = statSync(copied.postgres);
  expect(copyPrograms(programs, under)).toEqual(copied);
  expect(statSync(copied.postgres)).toMatchObject({ ino, ctimeMs });
});
