import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { acknowledgedTo, prepareFilers } from '../server/testing/filing.ts';
import { callAsAdministrator, cleanUp, createDataFolder, startServer } from '../server/testing/server-process.ts';
import { startGenerator } from './bench/children.ts';
import { percentile } from './bench/figures.ts';

/** Each files fewer than an hour's limit allows. */
const [people, ticketsEach] = [8, 25];
const floodMs = 15_000;
/** They go on for most of the flood. */
const betweenTicketsMs = 500;

afterAll(cleanUp);

test('while one address sends 300 connections of invented sessions, every ticket of others is filed, 99 of 100 within half a second', async () => {
  await using ends = new AsyncDisposableStack();
  const folder = createDataFolder();
  const server = await startServer(folder, { LOG_LEVEL: 'fatal' });
  const admin = await callAsAdministrator(server);
  const phones = Array.from({ length: people }, (_, index) => `+2267010000${index}`);
  const filers = await prepareFilers(admin, { port: server.port, folder, phones });

  const generator = startGenerator(ends);
  const targets = Array.from({ length: 20_000 }, () => ({
    head: `GET /api/auth/me HTTP/1.1\r\nhost: localhost\r\ncookie: guichet_session=${randomBytes(32).toString('base64url')}\r\n`,
  }));
  generator.load({ set: 'invented', port: server.port, from: '127.0.0.2', targets });
  const flood = generator.closed({ set: 'invented', connections: 300, forMs: floodMs });
  const latencies: number[] = [];
  const file = async (filer: (typeof filers)[number]) => {
    for (let ticket = 0; ticket < ticketsEach; ticket += 1) {
      const since = performance.now();
      await filer.file();
      latencies.push(performance.now() - since);
      await pause(betweenTicketsMs);
    }
  };
  await Promise.all(filers.map(file));
  const { by, perSecond } = await flood;
  const p99 = percentile(latencies, 0.99);
  console.log({ flood: by, perSecond: Math.round(perSecond), p50: percentile(latencies, 0.5), p99 });
  // What was answered before its limit, and what it got from then on; nothing of it broke the process.
  expect(by['401']).toBeLessThanOrEqual(6_000);
  expect(by['429']).toBeGreaterThan(0);
  expect(filers.flatMap((filer) => filer.refusals)).toEqual([]);
  expect(acknowledgedTo(filers)).toHaveLength(people * ticketsEach);
  expect(p99).toBeLessThan(500);
  expect((await server.end('SIGTERM')).code).toBe(0);
});
