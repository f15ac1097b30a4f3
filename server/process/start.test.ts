import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cleanUp,
  createDataFolder,
  type Exit,
  HttpClient,
  postgresFolder,
  postgresPid,
  query,
  readAdministrator,
  runServer,
  type ServerProcess,
  startServer,
} from '#server/testing/server-process.ts';

/** A data folder on which the product has run once, and what that first start said. */
let folder: string;
let firstStart: Pick<ServerProcess, 'port'> & { stdout: string; made: Awaited<ReturnType<typeof readWhatWasMade>> };
let administrator: { phoneOrEmail: string; password: string };

beforeAll(async () => {
  folder = createDataFolder();
  const server = await startServer(folder);
  administrator = await readAdministrator(server);
  firstStart = { port: server.port, stdout: server.stdout(), made: await readWhatWasMade() };
  expect(await signIn(server.port)).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
  expect((await server.end('SIGTERM')).code).toBe(0);
});
afterAll(cleanUp);

function signIn(port: number, client = new HttpClient(port)) {
  return client.send<{ user: { isAdmin: boolean } }>('POST', '/api/auth/signin', administrator);
}

/** What a start makes where it is not there yet: PostgreSQL's files (the inode of the one initdb writes), tables, rows. */
async function readWhatWasMade() {
  const { ino, mtimeMs } = statSync(path.join(postgresFolder(folder), 'PG_VERSION'));
  const migrations = await query(folder, 'select id, hash, created_at from drizzle.__drizzle_migrations order by id');
  const tables = await query(
    folder,
    "select oid from pg_class where relnamespace::regnamespace::text = 'public' order by 1",
  );
  const services = await query(folder, 'select id, xmin from services order by id');
  const administrators = await query(folder, 'select id from users where is_admin');
  return { ino, mtimeMs, migrations, tables, services, administrators };
}

/** A refused start: exit code 1, and on stderr one French sentence with this in it, no stack. */
function expectOneSentence(exit: Exit, part: string): void {
  expect(exit.stderr.trim().split('\n')).toEqual([expect.stringContaining(part)]);
  expect(exit.stderr.trim()).toMatch(/^\p{Lu}.*[.)]$/u);
  expect(exit).toMatchObject({ code: 1, stdout: '' });
}

describe('starting', () => {
  test('the first start prints the address and, after it, the administrator with a password', () => {
    expect(firstStart.stdout.trim().split('\n')).toEqual([
      `Guichet est prêt : http://localhost:${firstStart.port}`,
      expect.stringMatching(
        /^Administrateur : \+226 70 00 00 00 · mot de passe : [a-z2-9]{14} \(affiché une seule fois\)$/,
      ),
    ]);
  });

  test('the second start makes nothing again, prints no password, and keeps the administrator', async () => {
    const server = await startServer(folder);
    expect(server.stdout().trim()).toBe(`Guichet est prêt : http://localhost:${server.port}`);
    for (const made of ['migrations', 'tables', 'services', 'administrators'] as const)
      expect(firstStart.made[made]).not.toEqual([]);
    expect(await readWhatWasMade()).toEqual(firstStart.made);
    expect((await signIn(server.port)).status).toBe(200);
    const ended = await server.end('SIGTERM');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).not.toContain('mot de passe');
  });

  test('a port that is taken is named in one sentence, and PostgreSQL is not left behind', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    expectOneSentence(await runServer({ DATA_DIR: folder, PORT: String(port) }), `${port}`);
    expect(postgresPid(folder)).toBeUndefined();
    other.close();
  });

  test.each([
    [{ PORT: 'abc' }, 'PORT'],
    [{ BACKUP_DIR: '/proc/guichet/b' }, 'BACKUP_DIR'],
    [{ SMS_PROVIDER: 'file', SMS_FILE: '/proc' }, 'SMS_FILE'],
    [{ RATE_LIMITS: 'off', NODE_ENV: 'production' }, 'RATE_LIMITS'],
  ])('the settings %j are refused in one sentence that names %s, before anything is made', async (settings, name) => {
    const untouched = path.join(folder, 'never-made');
    const exit = await runServer({ PORT: '0', DATA_DIR: untouched, ...settings });
    expectOneSentence(exit, name);
    expect(existsSync(untouched)).toBe(false);
  });
});
