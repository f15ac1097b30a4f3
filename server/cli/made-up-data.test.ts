import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDialTemplate } from '#contract/dial-code.ts';
import { countryOf } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { buildAdmin, buildPaymentType } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { makeUpData } from './made-up-data.ts';
import { seed } from './seed.ts';

const volume = { users: 300, tickets: 3_000 };
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await buildAdmin(api);
  await buildPaymentType(api.db, 'Wave');
  await makeUpData(api.pool, volume);
});
afterAll(() => api.close());

const countOf = async (query: string): Promise<number> =>
  (await api.pool.query(`select count(*)::int as count from ${query}`)).rows[0].count;

test('so many people of the seven countries and tickets of every status, over a year, in the order of time', async () => {
  const { rows: people } = await api.pool.query("select phone, country_code from users where password = '-'");
  expect(new Set(people.map((each) => each.country_code)).size).toBe(7);
  for (const { phone, country_code } of people) {
    expect(readPhone(phone, country_code)).toEqual({ e164: phone });
    expect(countryOf(phone)?.code).toBe(country_code);
  }
  expect(await countOf('tickets')).toBe(volume.tickets);
  expect(await countOf("users where is_guest or password = '-'")).toBe(volume.users);
  for (const [status, least] of Object.entries({ approved: 2_400, rejected: 150, pending: 10 }))
    expect(await countOf(`tickets where status = '${status}'`), status).toBeGreaterThan(least);
  const disordered = 'select created_at < lag(created_at) over (order by id) as is_before from tickets';
  expect(await countOf(`(${disordered}) t where is_before`)).toBe(0);
  expect(await countOf("tickets where created_at not between now() - interval '366 days' and updated_at")).toBe(0);
  expect(await countOf("tickets where status <> 'pending' and updated_at > now()")).toBe(0);
});

test('what follows from a ticket is there: its path, code, events, notification and payment', async () => {
  const { rows } = await api.pool.query(
    `select dial_code, total_price, service_path, phone_number from tickets join services s on s.id = service_id where dial_code is not null limit 50`,
  );
  for (const { dial_code, total_price, service_path, phone_number } of rows) {
    expect(service_path.map(({ level }: { level: number }) => level)).toEqual([1, 2, 3, 4]);
    expect(dial_code).toBe(
      fillDialTemplate(phone_number, { total: Number(total_price), beneficiary: '', serviceId: 0 }),
    );
  }
  const decided = await countOf("tickets where status <> 'pending'");
  expect(await countOf('ticket_events')).toBe(volume.tickets + decided);
  expect(await countOf('notifications')).toBe(decided);
  expect(
    await countOf("payment_matches m join tickets t on t.id = ticket_id where status = 'approved'"),
  ).toBeGreaterThan(100);
});

test('a second time adds as much again, and no second catalogue; a wrong volume is refused', async () => {
  const other = await startTestApi();
  await buildAdmin(other);
  const counts = async () =>
    (
      await other.pool.query(
        'select (select count(*)::int from tickets) as tickets, (select count(*)::int from services) as services',
      )
    ).rows[0];
  await makeUpData(other.pool, { users: 5, tickets: 20 });
  const { services } = await counts();
  await makeUpData(other.pool, { users: 5, tickets: 20 });
  expect(await counts()).toEqual({ tickets: 40, services });
  await other.close();
  const refused = seed(['--users', '5000001'], new AbortController().signal);
  await expect(refused).rejects.toThrow('--users attend un nombre entier de 0 à 5000000, et non « 5000001 ».');
});
