import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countSms, letPass, otherThan, signUpBody, startReset, startSignUp } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
beforeEach(() => api.pool.query('truncate rate_limits, sms_days, sms_settings, sms_messages'));
afterAll(() => api.close());

const paused = { status: 503, body: { code: 'SMS_PAUSED', message: expect.stringMatching(/SMS.*Réessayez dans/) } };
const setCap = (perDay: number) => api.pool.query('insert into sms_settings (per_day) values ($1)', [perDay]);
const signUp = (phone: string) => api.client().post('/api/auth/signup', signUpBody(phone));
const signIn = (phone: string, password = knownPassword) =>
  api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });
/** A browser that signed in before. */
const enterSomebody = async () => {
  const client = api.client();
  const { phone } = await buildUser(api.db);
  expect((await client.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword })).status).toBe(200);
  return client;
};
const forget = (phone: string) => api.client().post('/api/auth/forgot-password', { phoneOrEmail: phone });

function expectPaused(answer: TestResponse): void {
  expect(answer).toMatchObject(paused);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

describe("beyond the day's cap", () => {
  test('parallel sign-ups send no more than it, and leave nothing half-written', async () => {
    await setCap(5);
    const numbers = Array.from({ length: 25 }, nextPhone);
    const before = await countRows(api, 'users');
    const answers = await Promise.all(numbers.map(signUp));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectPaused(answer);
    expect(await countRows(api, 'sms_messages')).toBe(5);
    expect(await countRows(api, 'users')).toBe(before + 5);
    for (const table of ['otp_flows', 'otp_codes']) {
      const { rows } = await api.pool.query(`select 1 from ${table} where phone = any($1)`, [numbers]);
      expect(rows, table).toHaveLength(5);
    }
  });

  test('every way to a code is refused, and nothing of it is done; the next day it goes on', async () => {
    const { phone } = await buildUser(api.db);
    const unverified = nextPhone();
    const { client } = await startSignUp(api, unverified);
    await letPass(api, unverified, 60);
    const flows = () => countRows(api, 'otp_flows');
    const before = await flows();
    await setCap(1);
    const resend = () => client.post('/api/auth/resend-otp', { phone: unverified });
    for (const ask of [() => signUp(nextPhone()), resend, () => forget(phone), () => signIn(unverified, 'secret1')])
      expectPaused(await ask());
    expect(await countRows(api, 'sms_messages')).toBe(1);
    expect(await flows()).toBe(before);
    // A wrong password is told nothing of it.
    expect(await signIn(unverified, 'faux-mot')).toMatchObject({ status: 401 });
    await api.pool.query('update sms_days set day = day - 1');
    expect((await resend()).status).toBe(200);
    expect(await countSms(api, unverified)).toBe(2);
  });

  test('a browser that corrects its form while its code is on its way needs none, and is not refused', async () => {
    await setCap(1);
    const phone = nextPhone();
    const { client, code } = await startSignUp(api, phone);
    const corrected = await client.post('/api/auth/signup', signUpBody(phone, { firstName: 'Aïssata' }));
    expect(corrected.status).toBe(201);
    const verified = await client.post('/api/auth/verify-otp', { phone, code });
    expect(verified).toMatchObject({ status: 200, body: { user: { firstName: 'Aïssata' } } });
  });
});

describe('codes of a country that nobody enters', () => {
  const send = (codes: number, minutesAgo: number, to = '+22670') =>
    api.pool.query(
      `insert into sms_messages (recipient, kind, status, drop_after, created_at)
       select $1 || 900000 + n, 'code', 'sent', now(), now() - make_interval(mins => $3)
       from generate_series(1, $2::int) n`,
      [to, codes, minutesAgo],
    );
  const convert = (codes: number) =>
    api.pool.query(
      'update sms_messages set converted_at = now() where id in (select id from sms_messages where converted_at is null limit $1)',
      [codes],
    );

  test("pause once they are 50 of an hour, and others' go on; entered ones let them go again", async () => {
    await send(49, 30);
    // Their people still look for the phone.
    await send(20, 1);
    expect((await signUp(nextPhone())).status).toBe(201);
    await send(1, 4);
    await convert(4);
    const knownBrowser = await enterSomebody();
    expectPaused(await signUp(nextPhone()));
    // Whoever has a verified number, or signed in here before, goes on.
    expect((await forget((await buildUser(api.db)).phone)).status).toBe(200);
    expect((await knownBrowser.post('/api/auth/signup', signUpBody(nextPhone()))).status).toBe(201);
    expect((await signUp('+2250700000001')).status).toBe(201);
    await convert(1);
    expect((await signUp(nextPhone())).status).toBe(201);
  });

  test('count where a phone has them, though the gateway seemed to fail', async () => {
    await send(50, 30);
    await api.pool.query("update sms_messages set status = 'failed'");
    expect((await signUp(nextPhone())).status).toBe(201);
    await api.pool.query("update sms_messages set delivery = 'delivered' where status = 'failed'");
    expectPaused(await signUp(nextPhone()));
  });

  test('pause no longer than that hour', async () => {
    await send(50, 59);
    expectPaused(await signUp(nextPhone()));
    await api.pool.query("update sms_messages set created_at = created_at - interval '2 minutes'");
    expect((await signUp(nextPhone())).status).toBe(201);
  });

  test('are told from those that are entered, of a sign-up and of a reset', async () => {
    const phone = nextPhone();
    const { client, code } = await startSignUp(api, phone);
    const converted = async () =>
      (await api.pool.query('select converted_at is not null as is from sms_messages order by id')).rows.map(
        (row) => row.is,
      );
    await client.post('/api/auth/verify-otp', { phone, code: otherThan(code) });
    expect(await converted()).toEqual([false]);
    await client.post('/api/auth/verify-otp', { phone, code });
    expect(await converted()).toEqual([true]);
    const reset = await startReset(api, phone);
    expect(await converted()).toEqual([true, false]);
    await reset.client.post('/api/auth/verify-reset-otp', { phone, code: reset.code });
    expect(await converted()).toEqual([true, true]);
  });
});
