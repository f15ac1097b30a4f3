import { expect, test } from 'vitest';
import { countryOf } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { buildAdmin, buildPaymentType } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { makeUpData } from './made-up-data.ts';
import { seed } from './seed.ts';

const volume = { users: 100, tickets: 1_000 };
const api = await startTestApi();
await buildAdmin(api);
await buildPaymentType(api.db, 'Wave');
await makeUpData(api.pool, volume);

const countOf = async (query: string): Promise<number> =>
  (await api.pool.query(`select count(*)::int as count from ${query}`)).rows[0].count;

test('people of the seven countries and a year of tickets with all that follows from them; again as much, and no second catalogue', async () => {
  const { rows: people } = await api.pool.query("select phone, country_code from users where password = '-'");
  expect(new Set(people.map((each) => each.country_code)).size).toBe(7);
  for (const { phone, country_code } of people) {
    expect(readPhone(phone, country_code)).toEqual({ e164: phone });
    expect(countryOf(phone)?.code).toBe(country_code);
  }
  expect(await countOf('tickets')).toBe(volume.tickets);
  expect(await countOf("users where is_guest or password = '-'")).toBe(volume.users);
  for (const [status, least] of Object.entries({ approved: 700, rejected: 30, pending: 0 }))
    expect(await countOf(`tickets where status = '${status}'`), status).toBeGreaterThan(least);
  const disordered = 'select created_at < lag(created_at) over (order by id) as is_before from tickets';
  expect(await countOf(`(${disordered}) t where is_before`)).toBe(0);
  expect(await countOf("tickets where created_at not between now() - interval '366 days' and updated_at")).toBe(0);
  expect(await countOf("tickets where status <> 'pending' and updated_at > now()")).toBe(0);

  const decided = await countOf("tickets where status <> 'pending'");
  expect(await countOf('ticket_events')).toBe(volume.tickets + decided);
  expect(await countOf('notifications')).toBe(decided);
  expect(
    await countOf("payment_matches m join tickets t on t.id = ticket_id where status = 'approved'"),
  ).toBeGreaterThan(20);

  const services = await countOf('services');
  await makeUpData(api.pool, volume);
  expect([await countOf('tickets'), await countOf('services')]).toEqual([2 * volume.tickets, services]);
});

test('a wrong volume is refused', async () => {
  const refused = seed(['--users', '5000001'], new AbortController().signal);
  await expect(refused).rejects.toThrow('--users attend un nombre entier de 0 à 5000000, et non « 5000001 ».');
});
