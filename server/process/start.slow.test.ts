import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { eventually } from '#server/testing/eventually.ts';
import { httpSettings, startFakeGateway } from '#server/testing/gateways/fake-gateway.ts';
import {
  cleanUp,
  createDataFolder,
  type Exit,
  findFreePort,
  HttpClient,
  postgresPid,
  printedAdministrator,
  readAdministrator,
  runServer,
  startServer,
} from '#server/testing/server-process.ts';

/** A data folder on which the product has run once. */
let folder: string;

beforeAll(async () => {
  folder = createDataFolder();
  expect((await (await startServer(folder)).end('SIGTERM')).code).toBe(0);
});
afterAll(cleanUp);

/** A refused start: exit code 1, and on stderr one French sentence with this in it, no stack. */
function expectOneSentence(exit: Exit, part: string): void {
  expect(exit.stderr.trim().split('\n')).toEqual([expect.stringContaining(part)]);
  expect(exit.stderr.trim()).toMatch(/^\p{Lu}.*[.)]$/u);
  expect(exit).toMatchObject({ code: 1, stdout: '' });
}

describe('starting', () => {
  test.each([
    [{ SMS_PROVIDER: 'file', SMS_FILE: '/nowhere/x/sms.jsonl' }, 'SMS_FILE'],
    [{ SMS_PROVIDER: 'orange', ORANGE_CLIENT_ID: 'a', ORANGE_CLIENT_SECRET: 'b' }, 'Niger (+227)'],
  ])('the settings %j are refused in one sentence that names %s, before anything is made', async (settings, name) => {
    const untouched = path.join(folder, 'never-made');
    expectOneSentence(await runServer({ PORT: '0', DATA_DIR: untouched, ...settings }), name);
    expect(existsSync(untouched)).toBe(false);
  });

  test('with a gateway the code of a sign-up reaches it, and is the right one', async () => {
    const gateway = await startFakeGateway(() => ({ status: 200 }));
    const server = await startServer(folder, httpSettings(gateway.url));
    const phone = '+22670998877';
    const client = new HttpClient(server.port);
    expect((await client.send('POST', '/api/auth/signup', signUpBody(phone))).status).toBe(201);
    await eventually(() => expect(gateway.asked).not.toHaveLength(0));
    const code = /est (\d{4})\./.exec(gateway.asked[0]?.body ?? '')?.[1];
    expect((await client.send('POST', '/api/auth/verify-otp', { phone, code })).status).toBe(200);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    await gateway.close();
  });

  test('a database that does not answer is one sentence, and the end', async () => {
    const settings = { DATA_DIR: createDataFolder(), DATABASE_URL: 'postgres://guichet:secret@127.0.0.1:1/x' };
    const exit = await runServer({ ...settings, PORT: String(await findFreePort()) });
    expectOneSentence(exit, 'DATABASE_URL');
    expect(exit.stderr).not.toContain('secret');
  });

  test('a data folder in use is one sentence, and whoever uses it goes on', async () => {
    const first = await startServer(folder);
    const pid = postgresPid(folder);
    const exit = await runServer({ DATA_DIR: folder, PORT: String(await findFreePort()) });
    expectOneSentence(exit, folder);
    expect(postgresPid(folder)).toBe(pid);
    expect((await new HttpClient(first.port).send('GET', '/api/health/ready')).status).toBe(200);
    expect((await first.end('SIGTERM')).code).toBe(0);
  });

  test('with too few files to open it is one sentence, before anything is made', async () => {
    const untouched = path.join(folder, 'never-made');
    const exit = await runServer({ PORT: '0', DATA_DIR: untouched }, 'ulimit -n 64');
    expectOneSentence(exit, 'ne peut ouvrir que 64 fichiers');
    expect(existsSync(untouched)).toBe(false);
  });

  test.each([128, 256])(
    'of %d open files, idle connections take no more than there are, and others are served when they end',
    async (files) => {
      const server = await startServer(folder, {}, `ulimit -n ${files}`);
      const idle = Array.from({ length: files + 20 }, () =>
        net.connect(server.port, '127.0.0.1').on('error', () => {}),
      );
      const refused = () => idle.filter((socket) => socket.closed);
      await eventually(() => expect(refused().length).toBeGreaterThan(files / 2));
      const other = net.connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      other.write('GET /api/health/ready HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
      for (const socket of [other, ...idle]) socket.destroy();
      await eventually(async () =>
        expect((await new HttpClient(server.port).send('GET', '/api/health/ready')).status).toBe(200),
      );
      expect((await server.end('SIGTERM')).code).toBe(0);
    },
  );

  test('two starts at once on one new database both come up, and one of them made the administrator', async () => {
    const { host, port, user, password } = inject('server');
    const admin = new pg.Client({ ...inject('server'), database: 'postgres' });
    await admin.connect();
    await admin.query('create database guichet_twins');
    const url = new URL(`postgres://localhost:${port}/guichet_twins`);
    Object.assign(url, { username: user, password });
    url.searchParams.set('host', host);
    try {
      const twins = await Promise.all(
        [createDataFolder(), createDataFolder()].map((each) => startServer(each, { DATABASE_URL: url.href })),
      );
      const printed = await readAdministrator(...twins);
      for (const twin of twins) {
        const client = new HttpClient(twin.port);
        expect((await client.send('POST', '/api/auth/signin', printed)).status).toBe(200);
        expect((await client.send<object[]>('GET', '/api/services')).body).toHaveLength(4);
      }
      const exits = await Promise.all(twins.map((twin) => twin.end('SIGTERM')));
      expect(exits.map((exit) => exit.code)).toEqual([0, 0]);
      expect(exits.filter((exit) => printedAdministrator(exit.stdout))).toHaveLength(1);
    } finally {
      await admin.query('drop database guichet_twins with (force)');
      await admin.end();
    }
  });
});
