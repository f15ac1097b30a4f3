import { expect, test } from 'vitest';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { usableTimeZone } from './time-zone.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
await buildTicket(api.db, (await buildUser(api.db)).id);

test.each([
  ['Africa/Ouagadougou', 'Africa/Ouagadougou'],
  ['asia/calcutta', 'asia/calcutta'],
  ['Etc/GMT-14', 'Etc/GMT-14'],
  ['+05:30', 'UTC'],
  ['', 'UTC'],
  ['Mars/Olympus', 'UTC'],
  ['UTC+3', 'UTC'],
  ["'; drop table users", 'UTC'],
])('a browser in %j gets its dashboard and its export, by the clock of %s', async (named, used) => {
  expect(await usableTimeZone(api.db, named)).toBe(used);
  for (const path of ['/api/admin/dashboard', '/api/admin/ticket-export'])
    expect((await admin.get(`${path}?${new URLSearchParams({ timeZone: named })}`)).status).toBe(200);
});

test('nor does one that names none fail', async () => {
  for (const path of ['/api/admin/dashboard', '/api/admin/ticket-export'])
    expect((await admin.get(path)).status).toBe(200);
});
