import { expect, test } from 'vitest';
import {
  countSessions,
  countSms,
  letPass,
  listTries,
  otherThan,
  readUserRow,
  signUpBody,
  startReset,
  startSignUp,
} from '#server/testing/auth-steps.ts';
import { buildAdmin, buildUser, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

const refusal = { status: 400, body: { code: 'CODE_INVALID', message: 'Code OTP invalide ou expiré.' } };

test('100 parallel wrong codes spend exactly 3 tries, and the right code is dead after them', async () => {
  const phone = nextPhone();
  const { client, code } = await startSignUp(api, phone);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => client.post('/api/auth/verify-otp', { phone, code: otherThan(code) })),
  );
  // Who finds no place in the line of strangers' calls comes again, and spends no try.
  expect(new Set(answers.map((answer) => answer.body.code))).toEqual(new Set(['CODE_INVALID', 'BUSY']));
  expect(await listTries(api, phone)).toEqual([3]);
  expect(await client.post('/api/auth/verify-otp', { phone, code })).toMatchObject(refusal);
  expect(await readUserRow(api, phone)).toMatchObject({ is_verified: false });
});

test('50 parallel right codes give exactly one success and one session', async () => {
  const phone = nextPhone();
  const { client, code } = await startSignUp(api, phone);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => client.post('/api/auth/verify-otp', { phone, code })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  const refused = answers.filter((answer) => answer.status !== 200).map((answer) => answer.body.code);
  expect(refused).toHaveLength(49);
  for (const code of refused) expect(['CODE_INVALID', 'ALREADY_VERIFIED', 'BUSY']).toContain(code);
  const id = (await readUserRow(api, phone))?.id as number;
  expect(await countSessions(api, id)).toBe(1);
});

test('a code lives 5 minutes: at 5:00 it is dead, and takes no try', async () => {
  const phone = nextPhone();
  const { client, code } = await startSignUp(api, phone);
  await letPass(api, phone, 300);
  expect(await client.post('/api/auth/verify-otp', { phone, code })).toMatchObject(refusal);
  expect(await listTries(api, phone)).toEqual([0]);
  expect(await readUserRow(api, phone)).toMatchObject({ is_verified: false });
});

test('an earlier code is dead after a resend, and the new one has three tries of its own', async () => {
  const phone = nextPhone();
  const { client, code: old } = await startSignUp(api, phone);
  await client.post('/api/auth/verify-otp', { phone, code: otherThan(old) });
  const resent = await client.post('/api/auth/resend-otp', { phone });
  expect(resent).toMatchObject({ status: 200, body: { message: 'Code renvoyé' } });
  const fresh = await api.readCode(phone, 2);
  const dead = old === fresh ? otherThan(fresh) : old;
  expect(await client.post('/api/auth/verify-otp', { phone, code: dead })).toMatchObject(refusal);
  expect(await listTries(api, phone)).toEqual([1, 1]);
  const { rows } = await api.pool.query('select is_used from otp_codes where phone = $1 order by id', [phone]);
  expect(rows).toEqual([{ is_used: true }, { is_used: false }]);
  expect((await client.post('/api/auth/verify-otp', { phone, code: fresh })).status).toBe(200);
});

test.each([
  ['sign-up', 'a reset', 'guichet_signup', 'guichet_reset', 'verify-otp', 'verify-reset-otp'],
  ['reset', 'a session', 'guichet_reset', 'guichet_signup', 'verify-reset-otp', 'verify-otp'],
])('a %s code opens no %s', async (purpose, _, cookie, other, own, wrong) => {
  const phone = purpose === 'reset' ? (await buildUser(api.db)).phone : nextPhone();
  const { client, code } = await (purpose === 'reset' ? startReset : startSignUp)(api, phone);
  client.cookies.set(other, client.cookies.get(cookie) ?? '');
  expect(await client.post(`/api/auth/${wrong}`, { phone, code })).toMatchObject(refusal);
  client.cookies.delete(other);
  expect(await client.post(`/api/auth/${wrong}`, { phone, code })).toMatchObject(refusal);
  expect(client.cookies.has('guichet_session')).toBe(false);
  expect(await listTries(api, phone)).toEqual([0]);
  expect((await client.post(`/api/auth/${own}`, { phone, code })).status).toBe(200);
});

test('a deactivated account is brought back by no code, resend, reset or new sign-up', async () => {
  const admin = await buildAdmin(api);
  const phone = nextPhone();
  const { client, code } = await startSignUp(api, phone);
  const { id } = (await readUserRow(api, phone)) as { id: number };
  expect((await admin.client.patch(`/api/admin/users/${id}/deactivate`)).status).toBe(200);
  for (const path of ['resend-otp', 'resend-reset-otp'])
    expect(await client.post(`/api/auth/${path}`, { phone })).toMatchObject({ status: 404 });
  expect(await client.post('/api/auth/verify-otp', { phone, code })).toMatchObject(refusal);
  const again = await api.client().post('/api/auth/signup', signUpBody(phone));
  expect(again).toMatchObject({ status: 409, body: { code: 'PHONE_TAKEN' } });
  const forgot = await api.client().post('/api/auth/forgot-password', { phoneOrEmail: phone });
  expect(forgot).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  expect(await countSms(api, phone)).toBe(1);
  expect(await readUserRow(api, phone)).toMatchObject({ is_verified: false, deactivated_at: expect.any(Date) });
  expect(await countSessions(api, id)).toBe(0);
});
