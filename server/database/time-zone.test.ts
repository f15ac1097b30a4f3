import { expect, test } from 'vitest';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { usableTimeZone } from './time-zone.ts';

const noon = '2026-11-26T12:00:00Z';
const api = await startTestApi({ clock: noon });
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
  ['none', 'UTC'],
])('a browser in %j gets its dashboard and its export, by the clock of %s', async (named, used) => {
  expect(await usableTimeZone(api.db, named)).toBe(used);
  const query = named === 'none' ? '' : `?${new URLSearchParams({ timeZone: named })}`;
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: used }).format(new Date(noon));
  const { body } = await admin.get(`/api/admin/dashboard${query}`);
  expect(body.days.at(-1)).toMatchObject({ day, tickets: 1 });
  expect((await admin.get(`/api/admin/ticket-export${query}`)).headers).toMatchObject({ 'x-total-count': '1' });
});
