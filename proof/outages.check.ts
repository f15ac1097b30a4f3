import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDisk, killAll, mountSmallDisk, type SmallDisk } from '../server/testing/break-postgres.ts';
import { acknowledgedTo, expectNothingLost, type Filer, prepareFilers, untilFiled } from '../server/testing/filing.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  type HttpClient,
  postgresPid,
  type ServerProcess,
  startServer,
  untilPostgresIsNew,
} from '../server/testing/server-process.ts';

const clients = 8;
/** How soon tickets are to be filed again after the end of a cause. */
const promisedMs = 10_000;

let folder: string;
let disk: SmallDisk;
let server: ServerProcess;
let admin: HttpClient;
let filers: Filer[];

beforeAll(async () => {
  folder = createDataFolder();
  disk = mountSmallDisk(folder);
  server = await startServer(folder, { RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' });
  admin = await callAsAdministrator(server);
  const phones = Array.from({ length: clients }, (_, index) => `+2267010000${index}`);
  filers = await prepareFilers(admin, { port: server.port, folder, phones });
});
afterAll(async () => {
  // The job library traces a worker that an outage ended there; the product starts another one.
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  disk.unmount();
  await cleanUp();
});

/** Until so many more tickets are acknowledged; answers how long the first took. */
async function timeFirst(more: number): Promise<number> {
  const start = performance.now();
  await untilFiled(filers, 1, promisedMs);
  const first = performance.now() - start;
  await untilFiled(filers, more - 1, promisedMs);
  return first;
}

test('PostgreSQL killed ten times at random under load, and its disk filled twice: nothing acknowledged is lost', async () => {
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  const times: { outage: string; seconds: string }[] = [];
  const note = (outage: string, ms: number) => times.push({ outage, seconds: (ms / 1_000).toFixed(2) });
  const pid = server.pid;

  for (let round = 1; round <= 10; round += 1) {
    await untilFiled(filers, 10 + ((round * 67) % 200), promisedMs);
    const whole = round % 2 === 0;
    const killed = postgresPid(folder) as number;
    if (whole) killAll(folder);
    else process.kill(killed, 'SIGKILL');
    const since = performance.now();
    // What was under way may still be answered: the first answer of the new one counts.
    await untilPostgresIsNew(folder, killed);
    await untilFiled(filers, 1, promisedMs);
    note(whole ? 'all processes killed' : 'postmaster killed', performance.now() - since);
  }
  for (const _ of [1, 2]) {
    await untilFiled(filers, 50, promisedMs);
    const makeRoom = await fillDisk(folder, disk);
    makeRoom();
    note('disk filled, since there is room', await timeFirst(20));
  }
  stop.now = true;
  await Promise.all(load);
  await expectNothingLost(admin, folder, filers);
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
  expect((await admin.send('GET', '/api/health/live')).status).toBe(200);
  expect(server.pid).toBe(pid);
  console.table(times);
  console.log(`${acknowledgedTo(filers).length} tickets acknowledged, none lost.`);
});
