import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../server/testing/eventually.ts';
import { acknowledgedTo, Filer, prepareOrder, signUp, untilFiled } from '../server/testing/filing.ts';
import {
  cleanUp,
  createDataFolder,
  findFreePort,
  HttpClient,
  readAdministrator,
  type ServerProcess,
  startServer,
} from '../server/testing/server-process.ts';
import {
  ask,
  createPostgres,
  createStandby,
  endServer,
  endServers,
  requireServers,
  startDatabaseProxy,
  startHttpProxy,
  urlOf,
} from './servers.ts';

/** How often the primary is killed, and how many people file tickets as fast as they are acknowledged. */
const [failovers, people] = [3, 8];
/** Within which tickets are filed again after a standby is promoted. */
const promisedMs = 10_000;

vi.setConfig({ testTimeout: 600_000 });
beforeAll(requireServers);

const proxies: http.Server[] = [];
afterAll(async () => {
  await cleanUp();
  await endServers();
  for (const each of proxies) each.close();
});

/** Answers as Patroni does what HAProxy asks: 200 where a PostgreSQL is primary. Answers its port. */
async function answerForPrimary(port: number): Promise<number> {
  const server = http.createServer(async (_, response) => {
    const query = ask<{ primary: boolean }>(port, 'postgres', 'select not pg_is_in_recovery() as primary');
    const [found] = await query.catch(() => []);
    response.writeHead(found?.primary ? 200 : 503).end();
  });
  proxies.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Files tickets until it is told to stop, and then once more: what was not acknowledged is asked again with the same key. */
async function fileUntil(filer: Filer, stop: { now: boolean }, broken: string[]): Promise<void> {
  for (let last = false; !last; ) {
    const before = filer.acknowledged.length;
    const wasStopped = stop.now;
    await filer.file().catch((error: Error) => broken.push(String(error.cause ?? error)));
    const isFiled = filer.acknowledged.length > before;
    if (!isFiled) await pause(100);
    last = wasStopped && isFiled;
  }
}

test('the primary is killed three times under load, and a process of the product as often: no acknowledged ticket is lost', async () => {
  const ports = [await findFreePort(), await findFreePort()] as const;
  let primary = await createPostgres(ports[0]);
  let standby = await createStandby(primary, ports[1]);
  await ask(primary.port, 'postgres', 'create database guichet');
  const checked = ports.map(async (port) => ({ port, checks: await answerForPrimary(port) }));
  const database = await startDatabaseProxy(await Promise.all(checked));
  await eventually(() => ask(database, 'guichet', 'select 1'));
  const settings = {
    DATABASE_URL: urlOf('guichet', database),
    SESSION_SECRET: 'un secret partagé, assez long pour cela',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
  };
  const folders = [createDataFolder(), createDataFolder()];
  const start = (folder: string, port?: number) =>
    startServer(folder, { ...settings, ...(port && { PORT: String(port) }) });
  const processes = await Promise.all(folders.map((folder) => start(folder)));
  const administrator = await readAdministrator(...processes);
  const url = await startHttpProxy(processes.map(({ port }) => port));
  const admin = new HttpClient(url);
  await eventually(async () => expect((await admin.send('POST', '/api/auth/signin', administrator)).status).toBe(200));
  const order = await prepareOrder(admin);
  const phones = Array.from({ length: people }, (_, index) => `+2267010000${index}`);
  const filers = await Promise.all(phones.map(async (phone) => new Filer(await signUp(url, phone, folders), order)));

  const [stop, broken, times] = [{ now: false }, [] as string[], [] as number[]];
  const load = filers.map((filer) => fileUntil(filer, stop, broken));
  for (let round = 0; round < failovers; round += 1) {
    await untilFiled(filers, 200);
    await endServer(primary.child);
    const since = performance.now();
    await ask(standby.port, 'postgres', 'select pg_promote()');
    await untilFiled(filers, 20);
    times.push(performance.now() - since);
    const { port } = primary;
    primary = standby;
    standby = await createStandby(primary, port);

    const [index, folder] = [round % 2, folders[round % 2] as string];
    const killed = processes[index] as ServerProcess;
    await killed.end('SIGKILL');
    await untilFiled(filers, 20);
    processes[index] = await start(folder, killed.port);
  }
  await untilFiled(filers, 200);
  stop.now = true;
  await Promise.all(load);

  const stored = await ask<{ id: number; events: number }>(
    primary.port,
    'guichet',
    'select id, (select count(*)::int from ticket_events where ticket_id = t.id) as events from tickets t',
  );
  const acknowledged = acknowledgedTo(filers);
  const refusals = Map.groupBy(
    filers.flatMap((filer) => filer.refusals),
    (status) => status,
  );
  console.table({
    'acknowledged tickets': acknowledged.length,
    'of which lost': acknowledged.filter((id) => !stored.some((ticket) => ticket.id === id)).length,
    'longest time to service (s)': (Math.max(...times) / 1_000).toFixed(1),
    'connections broken': broken.length,
    ...Object.fromEntries([...refusals].map(([status, all]) => [`answers ${status}`, all.length])),
  });
  // Each once, with its event, and none that nobody was told of.
  expect(stored.filter(({ events }) => events !== 1)).toEqual([]);
  expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(acknowledged));
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect([...refusals.keys()].filter((status) => status !== 503)).toEqual([]);
  expect(Math.max(...times)).toBeLessThan(promisedMs);
});
