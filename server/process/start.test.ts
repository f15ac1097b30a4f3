import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { addressOf, runCommand } from '#server/testing/run-command.ts';
import {
  cleanUp,
  createDataFolder,
  type Exit,
  HttpClient,
  otherLimits,
  postgresPid,
  printedAdministrator,
  query,
  readAdministrator,
  runServer,
  type ServerProcess,
  startServer,
} from '#server/testing/server-process.ts';
import { createDatabase } from '#server/testing/test-api.ts';

/** A data folder in use, the second start on it, and what the first one said. */
let folder: string;
let firstStart: string;
let server: ServerProcess;
let administrator: { phoneOrEmail: string; password: string };

const countRows = () =>
  query(
    folder,
    `select (select count(*) from services) as services, (select count(*) from users where is_admin) as administrators,
       (select count(*) from drizzle.__drizzle_migrations) as migrations`,
  );

beforeAll(async () => {
  folder = createDataFolder();
  const first = await startServer(folder);
  administrator = await readAdministrator(first);
  firstStart = first.stdout().replace(`${first.port}`, 'PORT');
  const before = await countRows();
  expect((await first.end('SIGTERM')).code).toBe(0);
  server = await startServer(folder);
  expect(await countRows()).toEqual(before);
});
afterAll(cleanUp);

/** What is written for people: on a busy machine the log may have a line too. */
const forPeople = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));

test('the first start prints the address and the administrator with a password, the second one the address alone', async () => {
  expect(forPeople(firstStart)).toEqual([
    'Guichet est prêt : http://localhost:PORT',
    expect.stringMatching(
      /^Administrateur : \+226 70 00 00 00 · mot de passe : [a-z2-9]{14} \(affiché une seule fois\)$/,
    ),
  ]);
  expect(forPeople(server.stdout())).toEqual([`Guichet est prêt : http://localhost:${server.port}`]);
  const client = new HttpClient(server.port);
  expect((await client.send('POST', '/api/auth/signin', administrator)).status).toBe(200);
});

/** A refused start: exit code 1, and on stderr one French sentence with this in it, no stack. */
function expectOneSentence(exit: Exit, part: string): void {
  expect(exit.stderr.trim().split('\n')).toEqual([expect.stringContaining(part)]);
  expect(exit.stderr.trim()).toMatch(/^\p{Lu}.*[.)]$/u);
  expect(exit).toMatchObject({ code: 1, stdout: '' });
}

test('a setting that is wrong and a limit of open files that is too low are one sentence each, before anything is made', async () => {
  const given = { PORT: '0', DATA_DIR: path.join(folder, 'never-made') };
  const [port, backups, files] = await Promise.all([
    runServer({ ...given, PORT: 'abc' }),
    runServer({ ...given, BACKUP_DIR: '/proc/guichet/b' }),
    runServer(given, 'ulimit -n 64'),
  ]);
  expectOneSentence(port, 'PORT');
  expectOneSentence(backups, 'BACKUP_DIR');
  expectOneSentence(files, 'ne peut ouvrir que 64 fichiers');
  expect(existsSync(given.DATA_DIR)).toBe(false);
});

test('a port that is taken, a data folder in use and a database that does not answer are one sentence each', async () => {
  const pid = postgresPid(folder);
  const none = { DATA_DIR: createDataFolder(), DATABASE_URL: 'postgres://guichet:secret@127.0.0.1:1/x' };
  const [taken, used, absent] = await Promise.all([
    runServer({ DATA_DIR: createDataFolder(), PORT: `${server.port}` }),
    runServer({ DATA_DIR: folder, PORT: '0' }),
    runServer({ ...none, PORT: '0' }),
  ]);
  expectOneSentence(taken, `${server.port}`);
  expectOneSentence(used, folder);
  expect(postgresPid(folder)).toBe(pid);
  expectOneSentence(absent, 'DATABASE_URL');
  expect(absent.stderr).not.toContain('secret');
});

test('a command beside the product works in its database, and leaves its PostgreSQL running', async () => {
  const pid = postgresPid(folder);
  expect(await runCommand(['admin', 'create', '--phone', '+22671000099'], { DATA_DIR: folder })).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(postgresPid(folder)).toBe(pid);
});

test('of 128 open files, idle connections take no more than there are, and others are served', async () => {
  const url = addressOf(await createDatabase());
  const small = await startServer(createDataFolder(), { DATABASE_URL: url }, 'ulimit -n 128');
  const idle = Array.from({ length: 148 }, () => net.connect(small.port, '127.0.0.1').on('error', () => {}));
  await eventually(() => expect(idle.filter((socket) => socket.closed).length).toBeGreaterThan(64));
  const other = net.connect({ port: small.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  other.write('GET /api/health/ready HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of [other, ...idle]) socket.destroy();
  expect((await small.end('SIGTERM')).code).toBe(0);
});

test.each<[string, (text: string) => Buffer]>([
  ['with the mark of UTF-8 that Windows writes', (text) => Buffer.from(`\ufeff${text}`)],
  ['in UTF-16, as PowerShell writes it', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('a file .env %s is read whole, its first setting too', async (_, encode) => {
  const cwd = createDataFolder();
  const absent = path.join(cwd, 'nowhere');
  writeFileSync(path.join(cwd, '.env'), encode(`DATA_DIR=${absent}\r\nPORT=abc\r\n`));
  // What is set already stands.
  expect((await runCommand(['doctor'], { PORT: '0' }, cwd)).stderr).toContain(absent);
  expect((await runCommand(['doctor'], {}, cwd)).stderr).toContain('PORT');
});

test('a file that arrives slowly is waited for, and one that stands still is a 408', async () => {
  const uploadLookMs = 400;
  const limits = otherLimits({ 'http/limits.ts': { httpLimits: { uploadLookMs } } });
  const url = addressOf(await createDatabase());
  const patient = await startServer(createDataFolder(), { DATABASE_URL: url, ...limits });
  const signIn = await fetch(`http://127.0.0.1:${patient.port}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await readAdministrator(patient)),
  });
  const cookie = signIn.headers.getSetCookie().map((each) => each.split(';')[0]);
  const send = async (pieces: number) => {
    const socket = net.connect(patient.port, '127.0.0.1').setEncoding('utf8');
    const heard = { text: '' };
    socket.on('data', (piece: string) => {
      heard.text += piece;
    });
    const start = '--x\r\ncontent-disposition: form-data; name="background"; filename="a.png"\r\n\r\n';
    const length = start.length + 20 + '\r\n--x--\r\n'.length;
    socket.write(
      `POST /api/admin/upload-background HTTP/1.1\r\nhost: x\r\ncookie: ${cookie.join('; ')}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n${start}`,
    );
    for (let sent = 0; sent < pieces; sent += 1) {
      // The pace of a slow line: several bytes between two looks, and the whole takes several looks.
      await setTimeout(uploadLookMs / 4);
      socket.write('x');
    }
    if (pieces === 20) socket.write('\r\n--x--\r\n');
    await eventually(() => expect(heard.text).toMatch(/"code":/));
    socket.destroy();
    return heard.text;
  };
  const [slow, still] = await Promise.all([send(20), send(3)]);
  expect(slow).toMatch(/^HTTP\/1\.1 400 [\s\S]*"IMAGE_TYPE"/);
  expect(still).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\nconnection: close\r\n[\s\S]*"TOO_SLOW"/i);
  expect((await patient.end('SIGTERM')).code).toBe(0);
});

test('two starts at once on one new database wait for each other, and one of them makes the administrator', async () => {
  const url = addressOf(await createDatabase());
  const starting = [1, 2].map(() => startServer(createDataFolder(), { DATABASE_URL: url, STOP_DELAY_SECONDS: '1' }));
  const twins = await Promise.all(starting);
  const printed = await readAdministrator(...twins);
  for (const twin of twins) {
    const client = new HttpClient(twin.port);
    expect((await client.send('POST', '/api/auth/signin', printed)).status).toBe(200);
    expect((await client.send<object[]>('GET', '/api/services')).body).toHaveLength(4);
  }
  // Told to stop it is not ready for more, and goes on answering for the delay.
  const ask = (address: string) => fetch(`http://127.0.0.1:${twins[0]?.port}${address}`);
  const ends = twins.map((twin) => twin.end('SIGTERM'));
  await eventually(async () => expect((await ask('/api/health/ready')).status).toBe(503));
  expect((await ask('/api/services')).status).toBe(200);
  const exits = await Promise.all(ends);
  expect(exits.map((exit) => exit.code)).toEqual([0, 0]);
  expect(exits.filter((exit) => printedAdministrator(exit.stdout))).toHaveLength(1);
});
