import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAlarms } from '#server/features/alarms/store.ts';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { countSms, letPass, otherThan, signUpBody, startReset, startSignUp } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { buildSecond, startTestApi, type TestApi, TestClient, type TestResponse } from '#server/testing/test-api.ts';
import { countResetGuess } from './reset-guesses.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
beforeEach(() => api.pool.query('truncate rate_limits, sms_days, sms_settings, sms_messages, alarms, code_failures'));
afterAll(() => api.close());

const paused = { status: 503, body: { code: 'SMS_PAUSED', message: expect.stringMatching(/SMS.*Réessayez dans/) } };
const locked = { status: 403, body: { code: 'CODE_LOCKED', message: expect.stringContaining('mot de passe') } };
/** Of a number that nobody has verified, and whose owner has no password. */
const lockedForADay = { status: 403, body: { code: 'CODE_LOCKED', message: expect.stringMatching(/Réessayez dans/) } };
const setCap = (perDay: number) => api.pool.query('insert into sms_settings (per_day) values ($1)', [perDay]);
const alarms = async () => (await listAlarms(api.db)).map(({ key }) => key);
const signUp = (phone: string) => api.client().post('/api/auth/signup', signUpBody(phone));
const signIn = (phone: string, password = knownPassword) =>
  api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });
const forget = (phone: string) => api.client().post('/api/auth/forgot-password', { phoneOrEmail: phone });

function expectPaused(answer: TestResponse): void {
  expect(answer).toMatchObject(paused);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

describe('beyond the day’s cap', () => {
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
    expect(await alarms()).toEqual(['sms-cap:all']);
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

  test('pause once they are 50 of an hour, and others’ go on; entered ones let them go again', async () => {
    await send(49, 30);
    // Their people still look for the phone.
    await send(20, 1);
    expect((await signUp(nextPhone())).status).toBe(201);
    await send(1, 4);
    await convert(4);
    expectPaused(await signUp(nextPhone()));
    expect(await listAlarms(api.db)).toEqual([
      expect.objectContaining({
        key: 'sms-breaker:226',
        level: 'critical',
        message: expect.stringContaining('Burkina'),
      }),
    ]);
    expectPaused(await forget((await buildUser(api.db)).phone));
    expect((await signUp('+2250700000001')).status).toBe(201);
    expect(await alarms()).toEqual(['sms-breaker:226']);
    await convert(1);
    expect((await signUp(nextPhone())).status).toBe(201);
    expect(await alarms()).toEqual([]);
  });

  test('count where a phone has them, though the gateway seemed to fail', async () => {
    await send(50, 30);
    await api.pool.query("update sms_messages set status = 'failed'");
    expect((await signUp(nextPhone())).status).toBe(201);
    await api.pool.query("update sms_messages set delivery = 'delivered' where status = 'failed'");
    expectPaused(await signUp(nextPhone()));
  });

  test('pause no longer than that hour, and the alarm goes also when nobody asks', async () => {
    await send(50, 59);
    // Whoever asks for a code is told of it, and administrators then.
    await cleanUp(api);
    expect(await alarms()).toEqual([]);
    expectPaused(await signUp(nextPhone()));
    await api.pool.query("update sms_messages set created_at = created_at - interval '2 minutes'");
    await cleanUp(api);
    expect(await alarms()).toEqual([]);
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

describe('wrong reset codes of all numbers', () => {
  const setFailures = (points: number) =>
    api.pool.query("update rate_limits set points = $1 where key = 'resetGuesses'", [points]);
  const endPause = () => api.pool.query("update rate_limits set expire = 0 where key = 'resetPause'");
  const open = async () => {
    const { phone } = await buildUser(api.db);
    const { client, code } = await startReset(api, phone);
    const enter = (entered: string) => client.post('/api/auth/verify-reset-otp', { phone, code: entered });
    return { phone, client, right: () => enter(code), wrong: () => enter(otherThan(code)) };
  };
  const wrong = { status: 400, body: { code: 'CODE_INVALID' } };

  test('pause resets by SMS at the 200th, in every process, and nothing else', async () => {
    const one = await open();
    expect(await one.wrong()).toMatchObject(wrong);
    await setFailures(198);
    expect(await one.wrong()).toMatchObject(wrong);
    const other = await open();
    expect(await other.wrong()).toMatchObject(wrong);
    for (const answer of [await one.right(), await other.right(), await forget(other.phone)]) expectPaused(answer);
    await letPass(api, one.phone, 60);
    expectPaused(await one.client.post('/api/auth/resend-reset-otp', { phone: one.phone }));
    expect(await listAlarms(api.db)).toEqual([expect.objectContaining({ key: 'resets', level: 'critical' })]);
    expect((await signUp(nextPhone())).status).toBe(201);
    const second = await buildSecond(api);
    try {
      const { phone } = await buildUser(api.db);
      expectPaused(await new TestClient(second).post('/api/auth/forgot-password', { phoneOrEmail: phone }));
    } finally {
      await second.close();
    }
  });

  test('pause them again at each further one, and a right one lets them go on', async () => {
    const one = await open();
    await one.wrong();
    await setFailures(199);
    expect((await one.wrong()).status).toBe(400);
    expectPaused(await one.right());
    await endPause();
    expect((await one.wrong()).status).toBe(400);
    await endPause();
    const other = await open();
    expect((await other.right()).status).toBe(200);
    const third = await open();
    expect((await third.wrong()).status).toBe(400);
    expectPaused(await third.right());
  });

  test('are counted before they are compared: a burst at a pause’s end is one guess', async () => {
    await countResetGuess(api.db);
    await setFailures(200);
    const guesses = await Promise.allSettled(Array.from({ length: 20 }, () => countResetGuess(api.db)));
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('are forgotten after a day, and the alarm with them', async () => {
    const one = await open();
    await one.wrong();
    await setFailures(199);
    await one.wrong();
    await endPause();
    await cleanUp(api);
    expect(await alarms()).toEqual(['resets']);
    await api.pool.query('update rate_limits set expire = 0');
    await cleanUp(api);
    expect(await alarms()).toEqual([]);
    expect((await one.right()).status).toBe(200);
  });
});

describe('a number with 50 wrong codes in a row', () => {
  const setFailures = (phone: string, failures: number) =>
    api.pool.query(
      'insert into code_failures values ($1, $2) on conflict (phone) do update set failures = excluded.failures',
      [phone, failures],
    );
  const failuresOf = async (phone: string) =>
    (await api.pool.query('select failures from code_failures where phone = $1', [phone])).rows[0]?.failures ?? 0;

  test('gets no code and has none taken, whether it has an account or not', async () => {
    const phone = nextPhone();
    const { client, code } = await startSignUp(api, phone);
    await setFailures(phone, 49);
    const enter = (entered: string) => client.post('/api/auth/verify-otp', { phone, code: entered });
    expect(await enter(otherThan(code))).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } });
    expect(await enter(code)).toMatchObject(lockedForADay);
    await letPass(api, phone, 60);
    for (const ask of [
      () => client.post('/api/auth/resend-otp', { phone }),
      () => signUp(phone),
      () => signIn(phone, 'secret1'),
    ])
      expect(await ask()).toMatchObject(lockedForADay);
    expect(await countSms(api, phone)).toBe(1);
    const stranger = nextPhone();
    await setFailures(stranger, 50);
    expect(await api.client().post('/api/auth/verify-otp', { phone: stranger, code })).toMatchObject(lockedForADay);
    // Whoever claimed the number by a sign-up has shown nothing: the lock stays.
    expect(await failuresOf(phone)).toBe(50);
  });

  test('that nobody has verified is locked for a day and no longer, whatever is tried meanwhile; a verified one stays so', async () => {
    const [phone, known] = [nextPhone(), (await buildUser(api.db)).phone];
    const { client, code } = await startSignUp(api, phone);
    const enter = (entered: string) => client.post('/api/auth/verify-otp', { phone, code: entered });
    for (const each of [phone, known]) await setFailures(each, 50);
    const age = (interval: string) =>
      api.pool.query('update code_failures set last_at = now() - $1::interval', [interval]);
    await age('23 hours');
    expect(await enter(otherThan(code))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('dans 60 minutes') },
    });
    await age('24 hours');
    expect(await enter(otherThan(code))).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } });
    expect(await failuresOf(phone)).toBe(1);
    expect((await enter(code)).status).toBe(200);
    expect(await forget(known)).toMatchObject(locked);
  });

  test('is let out by its password', async () => {
    const { phone } = await buildUser(api.db);
    await setFailures(phone, 50);
    expect(await forget(phone)).toMatchObject(locked);
    expect((await signIn(phone, 'faux-mot')).status).toBe(401);
    expect(await forget(phone)).toMatchObject(locked);
    expect((await signIn(phone)).status).toBe(200);
    expect((await forget(phone)).status).toBe(200);
  });

  test.each([
    ['an administrator’s reset', 'reset-password', { password: 'choisi-12' }],
    ['an activation', 'activate', undefined],
  ])('is let out by %s', async (_, action, body) => {
    const admin = await buildAdmin(api);
    const { id, phone } = await buildUser(api.db);
    await setFailures(phone, 50);
    expect((await admin.client.patch(`/api/admin/users/${id}/${action}`, body)).status).toBe(200);
    expect((await forget(phone)).status).toBe(200);
  });

  test('is one that a right code does not come to', async () => {
    const phone = nextPhone();
    const { client, code } = await startSignUp(api, phone);
    await setFailures(phone, 48);
    await client.post('/api/auth/verify-otp', { phone, code: otherThan(code) });
    expect(await failuresOf(phone)).toBe(49);
    expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(200);
    expect(await failuresOf(phone)).toBe(0);
  });

  test('is forgotten when it has been quiet for 90 days', async () => {
    const [quiet, fresh] = [nextPhone(), nextPhone()];
    await setFailures(quiet, 50);
    await setFailures(fresh, 50);
    await api.pool.query(
      "update code_failures set last_at = now() - interval '90 days' - interval '1 minute' * (case phone when $1 then 1 else -1 end)",
      [quiet],
    );
    await cleanUp(api);
    expect([await failuresOf(quiet), await failuresOf(fresh)]).toEqual([0, 50]);
  });
});
