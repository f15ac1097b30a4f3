import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { usableTimeZone } from './time-zone.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
  await buildTicket(api.db, (await buildUser(api.db)).id);
});
afterAll(() => api.close());

/** What a browser calls its zone, and how many minutes that clock is ahead of UTC in January. */
const zones: [named: string, minutes: number][] = [
  ['Africa/Ouagadougou', 0],
  ['Europe/Paris', 60],
  ['asia/calcutta', 330],
  ['Etc/GMT-14', 840],
  // Of no PostgreSQL.
  ['US/Pacific-New', -480],
  ['+05:30', 330],
  ['-0300', -180],
  ['+01', 60],
  ['+00:00', 0],
  ['', 0],
  ['Mars/Olympus', 0],
  ['Etc/Unknown', 0],
  ['UTC+3', 0],
  ['+25:00', 0],
  ["'; drop table users", 0],
];

test.each(zones)('%j is a clock that PostgreSQL knows, %i minutes ahead', async (named, minutes) => {
  const zone = await usableTimeZone(api.db, named);
  const { rows } = await api.pool.query<{ ahead: number }>(
    `select extract(epoch from (timestamptz '2027-01-15T12:00Z' at time zone $1) - timestamp '2027-01-15 12:00')::int / 60 as ahead`,
    [zone],
  );
  // A stand-in has the offset of today: an hour more in summer.
  expect([minutes, named === 'US/Pacific-New' ? minutes + 60 : minutes]).toContain(rows[0]?.ahead);
});

test.each(zones)('a browser in %j gets its dashboard and its export', async (named) => {
  for (const path of ['/api/admin/dashboard', '/api/admin/ticket-export'])
    expect((await admin.get(`${path}?${new URLSearchParams({ timeZone: named })}`)).status).toBe(200);
});

test('nor does one that names none fail', async () => {
  for (const path of ['/api/admin/dashboard', '/api/admin/ticket-export'])
    expect((await admin.get(path)).status).toBe(200);
});
