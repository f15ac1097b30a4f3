import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeJournal, fillDisk, mountSmallDisk, type SmallDisk } from '#server/testing/break-postgres.ts';
import { eventually } from '#server/testing/eventually.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  type HttpClient,
  otherLimits,
  postgresPid,
  type ServerProcess,
  startServer,
} from '#server/testing/server-process.ts';

/** How soon the product is whole again once a cause has ended; what was promised, and not what it takes (about a second). */
const promisedMs = 10_000;

let folder: string;
let disk: SmallDisk;
let server: ServerProcess;
let admin: HttpClient;
let made: number[];

beforeAll(async () => {
  folder = createDataFolder();
  disk = mountSmallDisk(folder);
  server = await startServer(folder, { LOG_LEVEL: 'error' });
  admin = await callAsAdministrator(server);
  made = [];
});
afterAll(async () => {
  expect((await server.end('SIGTERM')).code).toBe(0);
  disk.unmount();
  await cleanUp();
});

const askReady = () => fetch(`http://127.0.0.1:${server.port}/api/health/ready`);
const untilReady = () => eventually(async () => expect((await askReady()).status).toBe(200), { withinMs: promisedMs });
/** Until calls are refused as they should be: with BUSY, and when to come back. */
const untilBusy = () =>
  eventually(
    async () => {
      const refused = await askReady();
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await refused.json()).toMatchObject({ code: 'BUSY' });
    },
    { withinMs: promisedMs },
  );

/** Has the API store a row, and remembers that it said so. */
async function store(): Promise<void> {
  const answer = await admin.send<{ id: number }>('POST', '/api/admin/payment-types', { name: `Avant ${made.length}` });
  expect(answer.status).toBe(201);
  made.push(answer.body.id);
}

/** The same process serves on, and has all that it acknowledged. */
async function expectWhole(): Promise<void> {
  await store();
  const types = await admin.send<{ id: number }[]>('GET', '/api/payment-types');
  const there = new Set(types.body.map(({ id }) => id));
  expect(made.filter((id) => !there.has(id))).toEqual([]);
  expect((await admin.send('GET', '/api/health/live')).status).toBe(200);
}

const startedAgain = 'PostgreSQL is gone; it is started again';
const countInLog = (part: string) => server.stdout().split(part).length - 1;
const untilLogged = (part: string, times: number) =>
  eventually(() => expect(countInLog(part)).toBeGreaterThanOrEqual(times));

describe('PostgreSQL gone', () => {
  test('killed, it is started again within 10 s; meanwhile calls are refused with BUSY and a time to come back', async () => {
    await store();
    const pid = postgresPid(folder) as number;
    process.kill(pid, 'SIGKILL');
    await untilBusy();
    await untilReady();
    expect(postgresPid(folder)).not.toBe(pid);
    await expectWhole();
  });

  test('stopped by a full disk, it is whole within 10 s of there being room', async () => {
    await store();
    const makeRoom = await fillDisk(folder, disk);
    makeRoom();
    await untilReady();
    await expectWhole();
  });

  test('as long as it cannot start it is tried again, calls are refused, and the process lives', async () => {
    const tries = countInLog(startedAgain);
    const open = closeJournal(folder);
    await untilLogged(startedAgain, tries + 3);
    await untilBusy();
    expect((await admin.send('GET', '/api/health/live')).status).toBe(200);
    open();
    await untilReady();
    await expectWhole();
  });

  test('where it never comes back, the process says why and ends', async () => {
    // Its own limit would have it try for a minute.
    const hurry = otherLimits({ 'limits.ts': { supervisionLimits: { giveUpMs: 500 } } });
    const own = createDataFolder();
    const ending = await startServer(own, hurry);
    const open = closeJournal(own);
    const { code, stderr } = await ending.exited;
    open();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^PostgreSQL ne revient pas \(.*pg_wal.*\) : Guichet s'arrête\.$/m);
  });
});
