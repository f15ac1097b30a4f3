import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queueSms } from '#server/features/sms/store.ts';
import { countSms, signUpBody } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on', trustProxy: ['127.0.0.1/32'] });
});
beforeEach(() => api.pool.query('truncate rate_limits, sms_days, sms_settings, sms_messages'));
afterAll(() => api.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const signUp = (address: string, phone = nextPhone(), client = api.client()) =>
  client.post('/api/auth/signup', signUpBody(phone), from(address));
const forget = async (address: string, client = api.client()) => {
  const { phone } = await buildUser(api.db);
  return client.post('/api/auth/forgot-password', { phoneOrEmail: phone }, from(address));
};
/** A browser that signed in before. */
const enterSomebody = async (): Promise<TestClient> => {
  const client = api.client();
  const { phone } = await buildUser(api.db);
  expect((await client.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword })).status).toBe(200);
  return client;
};
const countMessages = () => countRows(api, 'sms_messages');
const letMessagesPass = (seconds: number) =>
  api.pool.query('update sms_messages set created_at = created_at - make_interval(secs => $1)', [seconds]);
const sequence = (length: number) => Array.from({ length }, (_, index) => index);

function expectRefused(answer: TestResponse, seconds: number): void {
  expect(answer).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY', message: expect.stringContaining("n'ont pas encore été saisis") },
  });
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(seconds);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(seconds - 30);
}

describe('codes that nobody enters', () => {
  test('are 4 of one address, however many are asked for at once, and the refused leave nothing', async () => {
    const numbers = sequence(50).map(nextPhone);
    const answers = await Promise.all(numbers.map((phone) => signUp('203.0.113.1', phone)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(await countMessages()).toBe(4);
    for (const table of ['users', 'otp_flows', 'otp_codes']) {
      const { rows } = await api.pool.query(`select 1 from ${table} where phone = any($1)`, [numbers]);
      expect(rows, table).toHaveLength(4);
    }
    expect((await api.pool.query("select queued from sms_days where dial_code = 'all'")).rows).toEqual([{ queued: 4 }]);
  });

  test('are 8 of one network, and those of another one go on', async () => {
    for (const host of [1, 2, 3])
      for (const _ of sequence(4)) expect((await signUp(`203.0.113.${host}`)).status).toBe(host === 3 ? 429 : 201);
    expectRefused(await signUp('203.0.113.200'), 60);
    expect((await signUp('203.0.114.200')).status).toBe(201);
  });

  test('of IPv6 are counted by the /64 and the /48', async () => {
    for (const nth of sequence(4)) expect((await signUp(`2001:db8:1:1::${nth}`)).status).toBe(201);
    expectRefused(await signUp('2001:db8:1:1::abcd'), 60);
    for (const nth of sequence(4)) expect((await signUp(`2001:db8:1:2::${nth}`)).status).toBe(201);
    expectRefused(await signUp('2001:db8:1:3::1'), 60);
    expect((await signUp('2001:db8:2:1::1')).status).toBe(201);
  });

  test('make room as they are entered', async () => {
    const started = [];
    for (const _ of sequence(4)) {
      const [phone, client] = [nextPhone(), api.client()];
      await signUp('203.0.113.1', phone, client);
      started.push({ phone, client });
    }
    expectRefused(await signUp('203.0.113.1'), 60);
    const [first] = started;
    const code = await api.readCode(first?.phone ?? '');
    const entered = await first?.client.post(
      '/api/auth/verify-otp',
      { phone: first.phone, code },
      from('198.51.100.9'),
    );
    expect(entered?.status).toBe(200);
    // Three are open, and five may be.
    for (const status of [201, 201, 429]) expect((await signUp('203.0.113.1')).status).toBe(status);
  });

  test('are waited for a minute each, and for the day once nobody can enter them any more', async () => {
    for (const _ of sequence(4)) await signUp('203.0.113.1');
    await api.runJobs();
    expectRefused(await signUp('203.0.113.1'), 60);
    await letMessagesPass(600);
    expectRefused(await signUp('203.0.113.1'), 86_400 - 600);
    await letMessagesPass(86_400 - 600);
    expect((await signUp('203.0.113.1')).status).toBe(201);
  });

  test('count where they left, and not where they failed', async () => {
    for (const _ of sequence(4)) await signUp('203.0.113.1');
    await api.runJobs();
    await api.pool.query("update sms_messages set status = 'failed'");
    expect((await signUp('203.0.113.1')).status).toBe(201);
    await api.pool.query("update sms_messages set delivery = 'delivered' where status = 'failed'");
    expectRefused(await signUp('203.0.113.1'), 60);
  });

  test("of strangers' sign-ups keep back neither resets nor browsers that signed in before, which have as many", async () => {
    const known = await enterSomebody();
    for (const _ of sequence(4)) await signUp('203.0.113.1');
    expectRefused(await signUp('203.0.113.1'), 60);
    expect((await forget('203.0.113.1')).status).toBe(200);
    for (const _ of sequence(3)) expect((await signUp('203.0.113.1', nextPhone(), known)).status).toBe(201);
    expectRefused(await forget('203.0.113.1'), 60);
    expectRefused(await signUp('203.0.113.1', nextPhone(), known), 60);
  });

  test('are refused to every way to one, and nothing of it is done', async () => {
    const [phone, client] = [nextPhone(), api.client()];
    await signUp('203.0.113.1', phone, client);
    for (const _ of sequence(3)) await signUp('203.0.113.1');
    await api.pool.query("update otp_codes set created_at = created_at - interval '1 hour' where phone = $1", [phone]);
    expectRefused(await client.post('/api/auth/resend-otp', { phone }, from('203.0.113.1')), 60);
    expectRefused(
      await client.post('/api/auth/signin', { phoneOrEmail: phone, password: 'secret1' }, from('203.0.113.1')),
      60,
    );
    expectRefused(await signUp('203.0.113.1', phone, client), 60);
    expect(await countSms(api, phone)).toBe(1);
    expect((await client.post('/api/auth/resend-otp', { phone }, from('198.51.100.1'))).status).toBe(200);
  });

  test.each(['127.0.0.1', '10.0.0.1', '192.168.1.7'])('of %s say nothing about who asked', async (address) => {
    for (const _ of sequence(10)) expect((await signUp(address)).status).toBe(201);
    const { rows } = await api.pool.query('select distinct source_address, source_network from sms_messages');
    expect(rows).toEqual([{ source_address: null, source_network: null }]);
  });

  test('are told apart by hashes alone', async () => {
    await signUp('203.0.113.1');
    const { rows } = await api.pool.query('select * from sms_messages');
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    expect(rows[0].source_address).toMatch(/^[\w-]{43}$/);
  });
});

describe('strangers who have codes sent and enter none', () => {
  const othersGoOn = async () => {
    await api.runJobs();
    // Past the time that people have to look for their phone.
    await letMessagesPass(300);
    expect((await signUp('198.51.100.77')).status).toBe(201);
    expect((await forget('198.51.100.78')).status).toBe(200);
    const decision = { to: nextPhone(), text: 'Approuvée', kind: 'decision' as const, lifetimeSeconds: 60 };
    expect(await api.db.transaction((tx) => queueSms(tx, decision))).toBe(true);
  };

  test.each([
    ['60 sign-ups of one address', 60, 1],
    ['110 of two', 110, 2],
    ['120 of twelve in twelve networks', 120, 12],
  ])('stop nobody else: %s', async (_, times, addresses) => {
    await api.pool.query('insert into sms_settings (on_decision) values (true)');
    const answers = await Promise.all(
      sequence(times).map((nth) => signUp(`203.0.${100 + (nth % addresses)}.${nth % addresses}`)),
    );
    const sent = answers.filter(({ status }) => status === 201).length;
    expect(sent).toBeLessThanOrEqual(4 * addresses);
    expect(await countMessages()).toBe(sent);
    await othersGoOn();
  });

  test("stop strangers' sign-ups of a country with as many addresses as it takes, and no reset", async () => {
    for (const nth of sequence(17))
      for (const _ of sequence(3)) expect((await signUp(`203.0.${nth}.1`)).status).toBe(201);
    await api.runJobs();
    await letMessagesPass(300);
    expect(await signUp('198.51.100.77')).toMatchObject({ status: 503, body: { code: 'SMS_PAUSED' } });
    expect((await forget('198.51.100.78')).status).toBe(200);
    expect((await signUp('198.51.100.77', nextPhone(), await enterSomebody())).status).toBe(201);
  });
});
