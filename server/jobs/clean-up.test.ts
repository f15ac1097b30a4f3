import { beforeEach, expect, test } from 'vitest';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildCaller, buildPaymentLine, buildPaymentMessage, buildUser, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { cleanUp } from './clean-up.ts';

const api = await startTestApi();
beforeEach(() =>
  api.pool.query('truncate users, sessions, otp_flows, otp_codes, reset_tokens, sms_messages, rate_limits cascade'),
);

async function enterAsGuest(): Promise<number> {
  return (await api.client().post('/api/auth/guest')).body.user.id;
}

/** Makes a user as old as that, with a session that ended so long ago (negative: that is still to last so long). */
async function age(userId: number, made: string, ended: string): Promise<void> {
  await api.pool.query('update users set created_at = now() - $2::interval where id = $1', [userId, made]);
  await api.pool.query('update sessions set expire = now() - $2::interval where user_id = $1', [userId, ended]);
}

test('guests go 7 days after their last session, and nobody else does', async () => {
  const [old, recent, live, fresh] = [
    await enterAsGuest(),
    await enterAsGuest(),
    await enterAsGuest(),
    await enterAsGuest(),
  ];
  await age(old, '38 days', '7 days 1 minute');
  await age(recent, '36 days', '6 days 23 hours');
  await age(live, '90 days', '-1 day');
  await api.pool.query('delete from sessions where user_id = $1', [fresh]);
  const person = await buildUser(api.db, { createdAt: new Date('2020-01-01') });
  const unverified = await buildUser(api.db, { createdAt: new Date('2020-01-01'), isVerified: false });
  await cleanUp(api);
  const { rows } = await api.pool.query('select id from users order by id');
  expect(rows.map((row: { id: number }) => row.id)).toEqual([recent, live, fresh, person.id, unverified.id]);
});

test('sessions that ended over 7 days ago go, live ones stay', async () => {
  const ended = await buildCaller(api);
  const live = await buildCaller(api);
  await age(ended.user.id, '60 days', '7 days 1 minute');
  await cleanUp(api);
  expect(await countRows(api, 'sessions', `user_id = '${ended.user.id}'`)).toBe(0);
  expect(await countRows(api, 'users', `id = '${ended.user.id}'`)).toBe(1);
  expect((await live.client.get('/api/auth/me')).status).toBe(200);
});

test('codes go when no daily count needs them, and not before', async () => {
  const [old, recent] = [nextPhone(), nextPhone()];
  for (const phone of [old, recent]) await api.client().post('/api/auth/signup', signUpBody(phone));
  await api.pool.query("update otp_flows set created_at = now() - interval '4 days' where phone = $1", [old]);
  await api.pool.query("update otp_flows set created_at = now() - interval '25 hours' where phone = $1", [recent]);
  await cleanUp(api);
  expect(await countRows(api, 'otp_flows', `phone = '${old}'`)).toBe(0);
  expect(await countRows(api, 'otp_codes', `phone = '${old}'`)).toBe(0);
  expect(await countRows(api, 'otp_codes', `phone = '${recent}'`)).toBe(1);
});

test('an SMS that nobody sent in time is ended and its words are wiped, and one that has time left stays', async () => {
  await api.pool.query(
    `insert into sms_messages (recipient, body, drop_after)
     values ('+22670000001', 'code 0042', now() - interval '1 second'),
            ('+22670000002', 'code 0043', now() + interval '1 hour')`,
  );
  await cleanUp(api);
  const { rows } = await api.pool.query('select status, body from sms_messages order by recipient');
  expect(rows).toEqual([
    { status: 'expired', body: null },
    { status: 'queued', body: 'code 0043' },
  ]);
});

test('the traces of messages go after 30 days', async () => {
  const [old, recent] = [nextPhone(), nextPhone()];
  for (const [phone, days] of [
    [old, 31],
    [recent, 29],
  ])
    await api.pool.query(
      `insert into sms_messages (recipient, status, drop_after, created_at)
       values ($1, 'sent', now(), now() - make_interval(days => $2))`,
      [phone, days],
    );
  await cleanUp(api);
  expect(await countRows(api, 'sms_messages', `recipient = '${old}'`)).toBe(0);
  expect(await countRows(api, 'sms_messages', `recipient = '${recent}'`)).toBe(1);
});

test('counters that ran out go, so that guessed names do not pile up; running ones stay', async () => {
  await api.pool.query(
    `insert into rate_limits (key, points, expire) values
       ('signInsFailedPerAccount:name:personne', 3, extract(epoch from now() - interval '2 days') * 1000),
       ('codesFailedPerPhone:signup:+22670000001', 10, extract(epoch from now() + interval '1 hour') * 1000)`,
  );
  await cleanUp(api);
  const { rows } = await api.pool.query('select key from rate_limits');
  expect(rows).toEqual([{ key: 'codesFailedPerPhone:signup:+22670000001' }]);
});

test('30 days after a message of a payment came, its text and sender go; the message and what was read in it stay', async () => {
  const { id: line, accountId } = await buildPaymentLine(api.db);
  const message = { accountId, state: 'parsed' as const, sealedText: 'scellé', sender: '+22670123456' };
  for (const days of [29, 31])
    await buildPaymentMessage(api.db, { ...message, receivedAt: new Date(Date.now() - days * 86_400_000) });
  await cleanUp(api);
  const { rows } = await api.pool.query('select sealed_text, sender from payment_messages order by received_at');
  expect(rows).toEqual([
    { sealed_text: null, sender: null },
    { sealed_text: 'scellé', sender: '+22670123456' },
  ]);
  expect(await countRows(api, 'payment_lines', `id = '${line}'`)).toBe(1);
});

test('accounts whose number was never verified go a day after the last sign-up, and whoever comes back signs up again', async () => {
  const sign = (phone: string) => api.client().post('/api/auth/signup', signUpBody(phone));
  const [old, again, deactivated, fresh] = [nextPhone(), nextPhone(), nextPhone(), nextPhone()];
  for (const phone of [old, again, deactivated, fresh]) await sign(phone);
  const person = await buildUser(api.db, { createdAt: new Date('2020-01-01'), updatedAt: new Date('2020-01-01') });
  await api.pool.query(
    "update users set created_at = now() - interval '2 d', updated_at = now() - interval '25 h' where phone = any($1)",
    [[old, again, deactivated]],
  );
  await api.pool.query('update users set deactivated_at = now() where phone = $1', [deactivated]);
  await sign(again);
  await cleanUp(api);
  const { rows } = await api.pool.query('select phone from users order by id');
  expect(rows.map((row: { phone: string }) => row.phone)).toEqual([again, deactivated, fresh, person.phone]);
  expect((await sign(old)).status).toBe(201);
});
