import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { countSms } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { decisionText } from './ticket-decisions.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(() => choose(true));

const choose = (onDecision: boolean) =>
  api.pool.query(
    'insert into sms_settings (on_decision) values ($1) on conflict (id) do update set on_decision = excluded.on_decision',
    [onDecision],
  );

async function decide(userId: number, status: string) {
  const { id } = await buildTicket(api.db, userId);
  const reason = 'Paiement introuvable';
  expect(await admin.patch(`/api/tickets/${id}/status`, { status, reason })).toMatchObject({ status: 200 });
  return id;
}

/** The basic alphabet of GSM 03.38 that a French text may need. */
const gsm7 = /^[\w !"#%&'()*+,./:;<=>?èéùìòÇØøÅåÄÖÑÜäöñüà-]+$/;

test.each(['approved', 'rejected'] as const)('that a ticket is %s is one GSM-7 message without a secret', (status) => {
  const text = decisionText({ id: 2_147_483_647, status });
  expect(text).toMatch(gsm7);
  expect(text.length).toBeLessThanOrEqual(160);
  expect(text).toContain('2147483647');
  expect(text).toContain(status === 'approved' ? 'approuvée' : 'rejetée');
});

test.each(['approved', 'rejected'])('a person hears that their ticket is %s, once and for a day', async (status) => {
  const { id: userId, phone } = await buildUser(api.db);
  const id = await decide(userId, status);
  expect(await admin.patch(`/api/tickets/${id}/status`, { status })).toMatchObject({ status: 200 });
  const { rows } = await api.pool.query(
    `select kind, drop_after - created_at = interval '1 day' as day from sms_messages where recipient = $1`,
    [phone],
  );
  expect(rows).toEqual([{ kind: 'decision', day: true }]);
  await api.runJobs();
  expect(api.sentSms().filter((sms) => sms.to === phone)).toMatchObject([
    { text: decisionText({ id, status: status as 'approved' }) },
  ]);
});

test('nobody hears who is a guest, not verified, closed or gone, nor anybody where it was not chosen', async () => {
  const fields = [
    { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null },
    { isVerified: false },
    { isVerified: false, deactivatedAt: new Date() },
  ];
  for (const each of fields) {
    const { id, phone } = await buildUser(api.db, each);
    await decide(id, 'approved');
    expect(await countSms(api, phone)).toBe(0);
  }
  const gone = await buildUser(api.db);
  const { id } = await buildTicket(api.db, gone.id);
  await api.pool.query('delete from users where id = $1', [gone.id]);
  expect(await admin.patch(`/api/tickets/${id}/status`, { status: 'approved' })).toMatchObject({ status: 200 });
  for (const unset of [() => choose(false), () => api.pool.query('delete from sms_settings')]) {
    await unset();
    const { id: userId, phone } = await buildUser(api.db);
    await decide(userId, 'approved');
    expect(await countSms(api, phone)).toBe(0);
  }
  expect(await countSms(api, gone.phone)).toBe(0);
});
