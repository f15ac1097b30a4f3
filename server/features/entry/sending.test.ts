import { beforeEach, describe, expect, test } from 'vitest';
import { queueSms } from '#server/features/sms/store.ts';
import { countSms, letPass, otherThan, signUpBody, startReset, startSignUp } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { setClock } from '#server/testing/database-clock.ts';
import { startTestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

const noon = '2026-11-26T12:00:00Z';
const api = await startTestApi({ rateLimits: 'on', trustProxy: ['127.0.0.1/32'], clock: noon });
beforeEach(async () => {
  await api.pool.query('truncate rate_limits, sms_settings, sms_messages');
  await setClock(api.pool, noon);
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const signUp = (address: string, phone = nextPhone(), client = api.client()) =>
  client.post('/api/auth/signup', signUpBody(phone), from(address));
const forget = async (address: string, client = api.client()) => {
  const { phone } = await buildUser(api.db);
  return client.post('/api/auth/forgot-password', { phoneOrEmail: phone }, from(address));
};
/** A browser that signed in before, and asks for codes of that account. */
const enterSomebody = async () => {
  const client = api.client();
  const { phone } = await buildUser(api.db);
  expect((await client.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword })).status).toBe(200);
  const forgetOwn = (address: string) =>
    client.post('/api/auth/forgot-password', { phoneOrEmail: phone }, from(address));
  return { client, phone, forgetOwn };
};
const countMessages = () => countRows(api, 'sms_messages');
const sequence = (length: number) => Array.from({ length }, (_, index) => index);
const ask = (times: number, make: (nth: number) => Promise<TestResponse>) => Promise.all(sequence(times).map(make));
const setCap = (cap: number) => api.pool.query('insert into sms_settings (per_country_and_day) values ($1)', [cap]);
/** Has so many codes of an address sent, a day's hour ago, of which some were entered. */
async function send(address: string, codes: number, { entered = 0, hoursAgo = 2 } = {}): Promise<void> {
  expect((await signUp(address)).status).toBe(201);
  await api.pool.query(
    `with asked as (delete from sms_messages where id = (select max(id) from sms_messages)
       returning recipient, source_address, source_network)
     insert into sms_messages (recipient, status, source_address, source_network, drop_after, created_at, converted_at)
     select recipient, 'sent', source_address, source_network, now(), now() - make_interval(hours => $2::int),
       case when n <= $3::int then now() end from asked, generate_series(1, $1::int) n`,
    [codes, hoursAgo, entered],
  );
}

function expectRefused(answer: TestResponse, seconds?: number): void {
  const message = expect.stringContaining("n'ont pas encore été saisis");
  expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY', message } });
  const wait = Number(answer.headers['retry-after']);
  if (seconds === undefined) expect(wait).toBeGreaterThan(0);
  else expect(wait).toBe(seconds);
}

const paused = { status: 503, body: { code: 'SMS_PAUSED', message: expect.stringMatching(/SMS.*Réessayez dans/) } };

/** That others of the country sign up, reset and are told of decisions as before. */
async function expectOthersGoOn(): Promise<void> {
  expect((await signUp('198.51.100.77')).status).toBe(201);
  expect((await forget('198.51.101.78')).status).toBe(200);
  const decision = { to: nextPhone(), text: 'Approuvée', kind: 'decision' as const, lifetimeSeconds: 60 };
  expect(await api.db.transaction((tx) => queueSms(tx, decision))).toBe(true);
}

test.each([
  ['44 of two addresses', 44, ['203.0.113.1', '203.0.114.1'], 40],
  ['24 of one /64', 24, ['2001:db8:1:1::1', '2001:db8:1:1::2'], 20],
])('sign-ups whose codes nobody enters stop nobody else in their country: %s', async (_, times, addresses, sent) => {
  const answers = await ask(times, (nth) => signUp(`${addresses[nth % addresses.length]}`));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(sent);
  for (const answer of answers.filter(({ status }) => status !== 201)) expectRefused(answer, 3_600);
  // The refused leave nothing.
  expect(await countMessages()).toBe(sent);
  await expectOthersGoOn();
});

test('an address hears 120 times an hour whether a number has an account; neighbours go on, and in the end all are answered alike', async () => {
  const address = '203.0.113.9';
  const { phone } = await buildUser(api.db);
  const reset = (of: string) => api.client().post('/api/auth/forgot-password', { phoneOrEmail: of }, from(address));
  const signUpOf = (of: string) => api.client().post('/api/auth/signup', signUpBody(of), from(address));
  expect((await reset(nextPhone())).status).toBe(404);
  expect((await signUpOf(phone)).status).toBe(409);
  const spent = await api.pool.query(
    "update rate_limits set points = points + 118 where key like 'accountsToldPerAddress%' returning points",
  );
  expect(spent.rows).toEqual([{ points: 120 }]);
  for (const refused of [await reset(nextPhone()), await signUpOf(phone)])
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  expect((await reset(phone)).status).toBe(200);
  await ask(19, () => signUpOf(nextPhone()));
  expect(await countMessages()).toBe(20);
  const answers = [await reset(nextPhone()), await reset((await buildUser(api.db)).phone), await signUpOf(phone)];
  for (const answer of answers) expectRefused(answer, 3_600);
});

describe('what sends no SMS uses up no budget of SMS', () => {
  const asks: [string, (client: TestClient) => Promise<TestResponse>, number][] = [
    ['resends for numbers without a flow', (c) => c.post('/api/auth/resend-otp', { phone: nextPhone() }), 404],
    ['resets of unknown numbers', (c) => c.post('/api/auth/forgot-password', { phoneOrEmail: nextPhone() }), 404],
    ['forms with faults', (c) => c.post('/api/auth/signup', signUpBody(nextPhone(), { password: '1' })), 400],
  ];
  test.each(asks)('21 %s, and then a neighbour signs up from the same address', async (_, call, status) => {
    const client = api.client();
    const post = (url: string, body?: object) => client.post(url, body, from('203.0.113.1'));
    for (const answer of await ask(21, () => call(Object.assign(api.client(), { post }))))
      expect(answer.status).toBe(status);
    expect((await signUp('203.0.113.1')).status).toBe(201);
    expect((await forget('203.0.113.1')).status).toBe(200);
    expect(await countMessages()).toBe(2);
  });
});

describe('codes of an address or a network that were never entered', () => {
  test.each<[string, () => Promise<unknown>, number | undefined]>([
    ['19 in an hour', () => send('203.0.113.1', 19, { hoursAgo: 0 }), undefined],
    ['20 in an hour', () => send('203.0.113.1', 20, { hoursAgo: 0 }), 3_600],
    ['39 in a day', () => send('203.0.113.1', 39), undefined],
    ['40 in a day', () => send('203.0.113.1', 40), 22 * 3_600],
    ['40 a day ago', () => send('203.0.113.1', 40, { hoursAgo: 24 }), undefined],
    ['80 in a day, of which half were entered', () => send('203.0.113.1', 80, { entered: 40 }), undefined],
    ['80 in a day, of which fewer than half were', () => send('203.0.113.1', 80, { entered: 39 }), 22 * 3_600],
    ['119 of the network', () => send('203.0.113.9', 119), undefined],
    ['120 of the network', () => send('203.0.113.9', 120), 22 * 3_600],
    ['120 of another network', () => send('203.0.114.9', 120), undefined],
  ])('%s', async (_, before, wait) => {
    await before();
    const phone = nextPhone();
    const answer = await signUp('203.0.113.1', phone);
    if (wait !== undefined) expectRefused(answer, wait);
    expect(await countSms(api, phone)).toBe(wait === undefined ? 1 : 0);
  });

  test('are refused to every way to one, and nothing of it is done', async () => {
    const [phone, client] = [nextPhone(), api.client()];
    await signUp('203.0.113.1', phone, client);
    await send('203.0.113.1', 40);
    await letPass(api, phone, 3_600);
    const post = (url: string, body: object) => client.post(url, body, from('203.0.113.1'));
    expectRefused(await post('/api/auth/resend-otp', { phone }));
    expectRefused(await post('/api/auth/signin', { phoneOrEmail: phone, password: 'secret1' }));
    expectRefused(await post('/api/auth/signup', signUpBody(phone)));
    expect(await countSms(api, phone)).toBe(1);
    expect((await client.post('/api/auth/resend-otp', { phone }, from('198.51.100.1'))).status).toBe(200);
  });

  test('count together, whichever browser asked: a second one, or one that signed in, has no limit of its own there', async () => {
    const { client, forgetOwn } = await enterSomebody();
    await send('203.0.113.1', 18, { hoursAgo: 0 });
    expect((await signUp('203.0.113.1', nextPhone(), client)).status).toBe(201);
    expect((await forgetOwn('203.0.113.1')).status).toBe(200);
    for (const answer of [
      await signUp('203.0.113.1'),
      await signUp('203.0.113.1', nextPhone(), client),
      await forget('203.0.113.1', client),
    ])
      expectRefused(answer);
    expect(await countMessages()).toBe(20);
  });

  test('are told apart by hashes alone, and from those that were entered', async () => {
    const phone = nextPhone();
    const client = api.client();
    await signUp('203.0.113.1', phone, client);
    const { rows } = await api.pool.query('select * from sms_messages');
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    expect(rows[0].source_address).toMatch(/^[\w-]{43}$/);
    const converted = async () =>
      (await api.pool.query('select converted_at is not null as is from sms_messages order by id')).rows.map(
        (row) => row.is,
      );
    const code = await api.readCode(phone);
    await client.post('/api/auth/verify-otp', { phone, code: otherThan(code) });
    expect(await converted()).toEqual([false]);
    await client.post('/api/auth/verify-otp', { phone, code });
    expect(await converted()).toEqual([true]);
    const reset = await startReset(api, phone);
    await reset.client.post('/api/auth/verify-reset-otp', { phone, code: reset.code });
    expect(await converted()).toEqual([true, true]);
  });
});

describe("beyond a country's cap", () => {
  test('parallel sign-ups send three quarters of it, and leave nothing half-written', async () => {
    await setCap(8);
    const numbers = sequence(25).map(nextPhone);
    const before = await countRows(api, 'users');
    const answers = await Promise.all(numbers.map((phone) => signUp('10.0.0.1', phone)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(paused);
    expect(await countRows(api, 'users')).toBe(before + 6);
    for (const table of ['otp_flows', 'otp_codes']) {
      const { rows } = await api.pool.query(`select 1 from ${table} where phone = any($1)`, [numbers]);
      expect(rows, table).toHaveLength(6);
    }
    // Another country has its own.
    expect((await signUp('10.0.0.1', '+2250700000001')).status).toBe(201);
  });

  test('the last quarter is for decisions and for accounts that know the browser, not for others from there, and the cap holds for them', async () => {
    const [{ client: known, phone, forgetOwn }, late] = [await enterSomebody(), await enterSomebody()];
    const unverified = nextPhone();
    await startSignUp(api, unverified);
    await letPass(api, unverified, 60);
    await setCap(8);
    for (const _ of sequence(5)) await signUp('10.0.0.1');
    const flows = await countRows(api, 'otp_flows');
    // What a browser may have that signed in to some account, and what none has.
    for (const answer of [
      await signUp('10.0.0.1'),
      await forget('10.0.0.1'),
      await signUp('10.0.0.2', nextPhone(), known),
      await forget('10.0.0.2', known),
      await known.post('/api/auth/signin', { phoneOrEmail: unverified, password: 'secret1' }, from('10.0.0.2')),
    ])
      expect(answer).toMatchObject(paused);
    expect(await countRows(api, 'otp_flows')).toBe(flows);
    expect((await forgetOwn('10.0.0.1')).status).toBe(200);
    expect(await known.post('/api/auth/resend-reset-otp', { phone })).toMatchObject({ status: 429 });
    const decide = (kind: 'decision' | 'test') =>
      api.db.transaction((tx) => queueSms(tx, { to: nextPhone(), text: 'x', kind, lifetimeSeconds: 60 }));
    expect(await decide('decision')).toBe(true);
    expect(await decide('decision')).toBe(false);
    expect(await late.forgetOwn('10.0.0.1')).toMatchObject(paused);
    // An administrator's test goes all the same.
    expect(await decide('test')).toBe(true);
    expect(await countMessages()).toBe(9);
  });

  test('every way to a code is refused, and nothing of it is done; the next day it goes on', async () => {
    const unverified = nextPhone();
    const { client } = await startSignUp(api, unverified);
    await letPass(api, unverified, 60);
    const flows = await countRows(api, 'otp_flows');
    await setCap(1);
    const signIn = (password: string) =>
      api.client().post('/api/auth/signin', { phoneOrEmail: unverified, password }, from('10.0.0.1'));
    const resend = () => client.post('/api/auth/resend-otp', { phone: unverified });
    for (const way of [() => signUp('10.0.0.1'), resend, () => forget('10.0.0.1'), () => signIn('secret1')])
      expect(await way()).toMatchObject(paused);
    expect(await countMessages()).toBe(1);
    expect(await countRows(api, 'otp_flows')).toBe(flows);
    // A wrong password is told nothing of it.
    expect(await signIn('faux-mot')).toMatchObject({ status: 401 });
    await setClock(api.pool, '2026-11-27T00:00:01Z');
    expect((await resend()).status).toBe(200);
    expect(await countSms(api, unverified)).toBe(2);
  });
});
