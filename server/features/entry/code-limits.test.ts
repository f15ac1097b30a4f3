import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import {
  countSms,
  letPass,
  listTries,
  otherThan,
  readUserRow,
  signUpBody,
  startReset,
  startSignUp,
} from '#server/testing/auth-steps.ts';
import { buildUser, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestResponse } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on', clock: '2026-11-26T12:00:00Z' });
beforeEach(() => api.pool.query('truncate rate_limits, otp_flows cascade'));

/** A refusal that says to wait this long. */
function expectWait(answer: TestResponse, seconds: number): void {
  expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  const wait = Number(answer.headers['retry-after']);
  expect(wait).toBe(answer.body.retryAfter);
  expect(wait).toBe(seconds);
}

test('codes of one number wait 60, 120, then 300 seconds, and are 5 a day, for a sign-up', async () => {
  const phone = nextPhone();
  const { client } = await startSignUp(api, phone);
  const resend = () => client.post('/api/auth/resend-otp', { phone });
  let sent = 1;
  for (const pause of [60, 120, 300, 300]) {
    expectWait(await resend(), pause);
    await letPass(api, phone, pause - 45);
    expectWait(await resend(), 45);
    expect(await countSms(api, phone)).toBe(sent);
    await letPass(api, phone, 45);
    expect((await resend()).status).toBe(200);
    sent += 1;
    expect(await countSms(api, phone)).toBe(sent);
  }
  await letPass(api, phone, 3_600);
  expectWait(await resend(), 86_400 - 3_600 - 780);
  expectWait(
    await api.client().post('/api/auth/signup', signUpBody(phone, { password: 'another', confirmPassword: 'another' })),
    82_020,
  );
  expect(await countSms(api, phone)).toBe(5);

  await letPass(api, phone, 82_030);
  expect((await client.post('/api/auth/signup', signUpBody(phone))).status).toBe(201);
  expect(await countSms(api, phone)).toBe(6);
});

test('a browser whose first answer was lost sends its form again, gets no second SMS, and uses the first', async () => {
  const phone = nextPhone();
  const key = { 'idempotency-key': randomUUID() };
  await api.client().post('/api/auth/signup', signUpBody(phone), key);
  const code = await api.readCode(phone);
  const client = api.client();
  const again = await client.post('/api/auth/signup', signUpBody(phone, { firstName: 'Aïssata' }), key);
  expect(again).toMatchObject({ status: 201, body: { user: { phone } } });
  expect(await countSms(api, phone)).toBe(1);
  const verified = await client.post('/api/auth/verify-otp', { phone, code });
  expect(verified).toMatchObject({ status: 200, body: { user: { firstName: 'Aïssata' } } });
});

test('a browser that lost the answer to its reset asks again, gets no second SMS, and uses the first', async () => {
  const { phone } = await buildUser(api.db);
  const forgot = (key: string, client = api.client()) =>
    client.post('/api/auth/forgot-password', { phoneOrEmail: phone }, { 'idempotency-key': key });
  const key = randomUUID();
  // Sent at once, too: the first answer may be on its way.
  const answers = await Promise.all([forgot(key), forgot(key)]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { phone } });
  const code = await api.readCode(phone);
  const client = api.client();
  expect((await forgot(key, client)).status).toBe(200);
  expectWait(await forgot(randomUUID()), 60);
  expect(await countSms(api, phone)).toBe(1);
  expect((await client.post('/api/auth/verify-reset-otp', { phone, code })).status).toBe(200);
  // Its code is used up: the form begins anew.
  expectWait(await forgot(key), 60);
});

test('during the cool-down a stranger learns nothing by the pending password, and changes nothing', async () => {
  const phone = nextPhone();
  await api.client().post('/api/auth/signup', signUpBody(phone), { 'idempotency-key': randomUUID() });
  const state = () =>
    api.pool.query('select u.*, f.claim from users u join otp_flows f on f.phone = u.phone where u.phone = $1', [
      phone,
    ]);
  const { rows: before } = await state();
  const names = { firstName: 'Pirate', lastName: 'Pirate' };
  const answers = [];
  for (const password of ['secret1', 'autre-mot'])
    for (const key of [undefined, randomUUID()])
      answers.push(
        await api
          .client()
          .post(
            '/api/auth/signup',
            signUpBody(phone, { ...names, password, confirmPassword: password }),
            key === undefined ? {} : { 'idempotency-key': key },
          ),
      );
  for (const { status, body } of answers)
    expect({ status, body: { ...body, retryAfter: 0, message: '' } }).toEqual({
      status: 429,
      body: { code: 'TOO_MANY', retryAfter: 0, message: '' },
    });
  expect((await state()).rows).toEqual(before);
  expect(await countSms(api, phone)).toBe(1);
});

/** Enters wrong codes until the number has failed this often, waiting out every cool-down; answers the live code. */
async function fail(phone: string, times: number) {
  const { client, code: first } = await startSignUp(api, phone);
  let code = first;
  for (let failed = 0; failed < times; failed += 1) {
    if (failed > 0 && failed % 3 === 0) {
      await letPass(api, phone, 300);
      expect((await client.post('/api/auth/resend-otp', { phone })).status).toBe(200);
      code = await api.readCode(phone, 1 + failed / 3);
    }
    const answer = await client.post('/api/auth/verify-otp', { phone, code: otherThan(code) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } });
  }
  return { client, code };
}

test('a number has 10 failures a day: the 11th attempt is refused even with the right code, and the next day it is not', async () => {
  const phone = nextPhone();
  const { client, code } = await fail(phone, 10);
  const refused = await client.post('/api/auth/verify-otp', { phone, code });
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
  expect(await readUserRow(api, phone)).toMatchObject({ is_verified: false });
  expect(client.cookies.has('guichet_session')).toBe(false);
  // Those of another purpose are counted apart.
  await api.pool.query('update users set is_verified = true where phone = $1', [phone]);
  const own = await startReset(api, phone);
  expect((await own.client.post('/api/auth/verify-reset-otp', { phone, code: own.code })).status).toBe(200);
  await api.pool.query('update users set is_verified = false where phone = $1', [phone]);

  await api.pool.query('update rate_limits set expire = 0');
  expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(200);
});

test('one address enters 120 wrong codes an hour, and then no code at all', async () => {
  const phone = nextPhone();
  const { client, code } = await startSignUp(api, phone);
  await client.post('/api/auth/verify-otp', { phone, code: otherThan(code) });
  const spent = await api.pool.query(
    "update rate_limits set points = 120 where key like 'codesFailedPerAddress%' returning key",
  );
  expect(spent.rows).toHaveLength(1);
  expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(429);
  expect(await listTries(api, phone)).toEqual([1]);
});
