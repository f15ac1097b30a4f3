import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fillDisk, killAll, mountSmallDisk, type SmallDisk } from '#server/testing/break-postgres.ts';
import { Filer, listAllTickets, prepareOrder, signUp } from '#server/testing/filing.ts';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  postgresPid,
  query,
  readAdministrator,
  type ServerProcess,
  startServer,
} from '#server/testing/server-process.ts';

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
  admin = new HttpClient(server.port);
  expect((await admin.send('POST', '/api/auth/signin', await readAdministrator(server))).status).toBe(200);
  const order = await prepareOrder(admin);
  const phones = Array.from({ length: clients }, (_, index) => `+2267010000${index}`);
  filers = await Promise.all(phones.map(async (phone) => new Filer(await signUp(server.port, phone, [folder]), order)));
});
afterAll(async () => {
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  disk.unmount();
  await cleanUp();
});

const acknowledged = () => filers.flatMap((filer) => filer.acknowledged);

/** Until so many more tickets are acknowledged; answers how long the first took. */
async function untilFiled(more: number): Promise<number> {
  const start = performance.now();
  const before = acknowledged().length;
  const until = (count: number) =>
    vi.waitFor(() => expect(acknowledged().length).toBeGreaterThanOrEqual(before + count), {
      timeout: promisedMs,
      interval: 1,
    });
  await until(1);
  const first = performance.now() - start;
  await until(more);
  return first;
}

/** What was acknowledged is there, once; of each client at most one ticket more, whose answer was lost. */
async function expectNothingLost(): Promise<void> {
  const promised = acknowledged();
  const stored = new Set(await listAllTickets(admin));
  expect(promised.filter((id) => !stored.has(id))).toEqual([]);
  expect(new Set(promised).size).toBe(promised.length);
  expect(stored.size - promised.length).toBeLessThanOrEqual(clients);
  const odd = await query(
    folder,
    `select t.id from tickets t left join ticket_events e on e.ticket_id = t.id group by t.id having count(e.id) <> 1`,
  );
  expect(odd).toEqual([]);
}

test('PostgreSQL killed ten times at random under load, and its disk filled twice: nothing acknowledged is lost', async () => {
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  const times: { outage: string; seconds: string }[] = [];
  const note = (outage: string, ms: number) => times.push({ outage, seconds: (ms / 1_000).toFixed(2) });
  const pid = server.pid;

  for (let round = 1; round <= 10; round += 1) {
    await untilFiled(10 + Math.floor(Math.random() * 200));
    const whole = Math.random() < 0.5;
    const killed = postgresPid(folder) as number;
    if (whole) killAll(folder);
    else process.kill(killed, 'SIGKILL');
    const since = performance.now();
    // What was under way may still be answered: the first answer of the new one counts.
    await vi.waitFor(() => expect([undefined, killed]).not.toContain(postgresPid(folder)), {
      timeout: promisedMs,
      interval: 1,
    });
    await untilFiled(1);
    note(whole ? 'all processes killed' : 'postmaster killed', performance.now() - since);
  }
  for (const _ of [1, 2]) {
    await untilFiled(50);
    const makeRoom = await fillDisk(folder, disk);
    makeRoom();
    note('disk filled, since there is room', await untilFiled(20));
  }
  stop.now = true;
  await Promise.all(load);
  await expectNothingLost();
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
  expect((await admin.send('GET', '/api/health/live')).status).toBe(200);
  expect(server.pid).toBe(pid);
  console.table(times);
  console.log(`${acknowledged().length} tickets acknowledged, none lost.`);
});
