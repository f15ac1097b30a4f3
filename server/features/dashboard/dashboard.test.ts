import { beforeEach, expect, test } from 'vitest';
import { type Dashboard, dashboardDays } from '#contract/dashboard.ts';
import {
  buildAdmin,
  buildFinalService,
  buildPaymentAccount,
  buildPaymentLine,
  buildTicket,
  buildUser,
} from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

// Far from any midnight of the zone below, and of UTC.
const api = await startTestApi({ clock: '2026-11-26T18:00:00Z' });
const { client: admin } = await buildAdmin(api);
/** The figures are those of all tickets. */
beforeEach(() => api.pool.query('delete from tickets'));

const timeZone = 'Pacific/Kiritimati';
async function read(): Promise<Dashboard> {
  const answer = await admin.get(`/api/admin/dashboard?timeZone=${timeZone}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** So many days before the noon of today, as clocks in the time zone have it. */
async function noon(daysBefore: number): Promise<Date> {
  const { rows } = await api.pool.query<{ at: Date }>(
    `select (date_trunc('day', now() at time zone $1) + interval '12 hours' - make_interval(days => $2)) at time zone $1 as at`,
    [timeZone, daysBefore],
  );
  return rows[0]?.at as Date;
}

test('the figures are those of the rows: by status, by day, and of the last days alone', async () => {
  await api.pool.query('delete from tickets');
  const before = await read();
  const { id } = await buildUser(api.db);
  const serviceId = (await buildFinalService(api.db)).at(-1)?.id ?? 0;
  const file = async (daysBefore: number, fields: Parameters<typeof buildTicket>[2]) =>
    buildTicket(api.db, id, { serviceId, createdAt: await noon(daysBefore), ...fields });
  const filed = [
    await file(dashboardDays, { amount: 9_000, totalPrice: '9100' }),
    await file(dashboardDays - 1, { amount: 500, commission: 25, totalPrice: '525', status: 'approved' }),
    await file(2, { amount: 700, commission: 0, totalPrice: '700', status: 'rejected' }),
    await file(2, { amount: 800, commission: 40, totalPrice: '840' }),
    await file(0, { amount: 1_000, commission: 100, totalPrice: '1100' }),
  ];
  const { tickets, users, days, recent, services30, oldestPending } = await read();
  expect(oldestPending).toBe(filed[0]?.createdAt.toISOString());
  expect(tickets).toEqual({ total: 5, today: 1, pending: 3, approved: 1, rejected: 1 });
  expect(users.total - before.users.total).toBe(1);
  expect(users.today - before.users.today).toBe(1);
  expect(days).toHaveLength(dashboardDays);
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted());
  const used = days.flatMap(({ day, ...figures }, place) => (figures.tickets > 0 ? [{ place, ...figures }] : []));
  expect(used).toEqual([
    { place: 0, tickets: 1, francs: 525 },
    { place: dashboardDays - 3, tickets: 2, francs: 840 },
    { place: dashboardDays - 1, tickets: 1, francs: 1_100 },
  ]);
  expect(recent).toEqual(
    filed
      .map(({ id, status, servicePath, totalPrice, createdAt }) => {
        return { id, status, servicePath, totalPrice, createdAt: createdAt.toISOString() };
      })
      .toReversed(),
  );
  expect(services30).toEqual([{ serviceId, name: 'Envoi', above: ['Transfert'], tickets: 4 }]);
});

test('services count as visible where visitors reach them, and not below a hidden one', async () => {
  const { services: before } = await read();
  const [root, ...below] = await buildFinalService(api.db);
  expect((await read()).services.visible).toBe(before.visible + 1 + below.length);
  await api.pool.query('update services set is_visible = false where id = $1', [root?.id]);
  await api.app.changeFeed.catchUp();
  expect((await read()).services).toEqual({ total: before.total + 1 + below.length, visible: before.visible });
});

test('days with a movement are to be signed once they are over where the account is, until somebody signs them', async () => {
  // 2026-11-26T18:00Z; in Benin it is an hour later.
  const { id } = await buildPaymentAccount(api.db, { country: '+229' });
  const pay = (paidAt: string) => buildPaymentLine(api.db, { accountId: id, paidAt: new Date(paidAt) });
  await pay('2026-11-23T23:30:00Z');
  await pay('2026-11-24T12:00:00Z');
  await pay('2026-11-25T22:59:00Z');
  await pay('2026-11-26T08:00:00Z');
  await pay('2026-10-01T08:00:00Z');
  expect((await read()).unsigned).toEqual({ count: 2, oldest: { accountId: id, day: '2026-11-24' } });
  const { digest } = (await admin.get(`/api/admin/payments/closings?accountId=${id}&day=2026-11-24`)).body;
  const signed = { accountId: id, day: '2026-11-24', digest, reasons: { gaps: [] } };
  expect((await admin.post('/api/admin/payments/closings', signed)).status).toBe(200);
  expect((await read()).unsigned).toEqual({ count: 1, oldest: { accountId: id, day: '2026-11-25' } });
});
