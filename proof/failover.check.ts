import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../server/testing/eventually.ts';
import { acknowledgedTo, untilFiled } from '../server/testing/filing.ts';
import { findFreePort } from '../server/testing/server-process.ts';
import * as servers from './servers.ts';

const { ask, urlOf } = servers;
/** Within which tickets are filed again after a standby is promoted. */
const promisedMs = 10_000;

vi.setConfig({ testTimeout: 600_000 });
beforeAll(servers.requireServers);
afterAll(servers.endServers);

/** Answers what HAProxy asks as Patroni does: 200 where a PostgreSQL is primary. Answers its port. */
async function answerForPrimary(port: number): Promise<number> {
  const server = http.createServer(async (_, response) => {
    const query = ask<{ primary: boolean }>(port, 'postgres', 'select not pg_is_in_recovery() as primary');
    const [found] = await query.catch(() => []);
    response.writeHead(found?.primary ? 200 : 503).end();
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  return (server.address() as AddressInfo).port;
}

test('the primary is killed three times under load, and a process of the product as often: no acknowledged ticket is lost', async () => {
  const ports = [await findFreePort(), await findFreePort()] as const;
  let primary = await servers.createPostgres(ports[0]);
  let standby = await servers.createStandby(primary, ports[1]);
  await ask(primary.port, 'postgres', 'create database guichet');
  const checked = ports.map(async (port) => ({ port, checks: await answerForPrimary(port) }));
  const database = await servers.startDatabaseProxy(await Promise.all(checked));
  await eventually(() => ask(database, 'guichet', 'select 1'));
  const { filers, restart } = await servers.openShop(urlOf('guichet', database), 8);

  const [stop, broken, times] = [{ now: false }, [] as string[], [] as number[]];
  const load = filers.map((filer) => filer.fileUntil(stop, broken));
  for (const index of [0, 1, 0]) {
    await untilFiled(filers, 200);
    await servers.endServer(primary.child, 'SIGKILL');
    const since = performance.now();
    await ask(standby.port, 'postgres', 'select pg_promote()');
    await untilFiled(filers, 20);
    times.push(performance.now() - since);
    const { port } = primary;
    primary = standby;
    standby = await servers.createStandby(primary, port);
    await restart(index, 'SIGKILL');
  }
  await untilFiled(filers, 200);
  stop.now = true;
  await Promise.all(load);

  const stored = await ask<{ id: number; events: number }>(
    primary.port,
    'guichet',
    'select id, (select count(*)::int from ticket_events where ticket_id = t.id) as events from tickets t',
  );
  const [acknowledged, ids] = [acknowledgedTo(filers), new Set(stored.map(({ id }) => id))];
  const refusals = filers.flatMap((filer) => filer.refusals);
  console.table({
    'acknowledged tickets': acknowledged.length,
    'of which lost': acknowledged.filter((id) => !ids.has(id)).length,
    'longest time to service (s)': (Math.max(...times) / 1_000).toFixed(1),
    'connections broken, calls refused': `${broken.length}, ${refusals.length}`,
  });
  // Each once, with its event, and none that nobody was told of.
  expect(stored.filter(({ events }) => events !== 1)).toEqual([]);
  expect(ids).toEqual(new Set(acknowledged));
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(refusals.filter((status) => status !== 503)).toEqual([]);
  expect(Math.max(...times)).toBeLessThan(promisedMs);
});
