import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReset, startSignUp } from '#server/testing/auth-steps.ts';
import { buildUser, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const ask = (client: TestClient, purpose = 'signup') => client.get(`/api/auth/code-delivery?purpose=${purpose}`);
/** Sets what became of a number's last message. */
const set = (phone: string, values: string) =>
  api.pool.query(
    `update sms_messages set ${values} where id = (select max(id) from sms_messages where recipient = $1)`,
    [phone],
  );

test.each([
  ["status = 'queued'", 'queued'],
  ["status = 'queued', failure = 'orange : erreur 503'", 'waiting'],
  ["status = 'sent', delivery = null", 'sent'],
  ["status = 'sent', delivery = 'delivered'", 'delivered'],
  ["status = 'sent', delivery = 'undelivered'", 'undelivered'],
  ["status = 'failed'", 'failed'],
  ["status = 'failed', delivery = 'undelivered'", 'failed'],
  ["status = 'failed', delivery = 'delivered'", 'delivered'],
  ["status = 'queued', delivery = 'delivered'", 'delivered'],
  ["status = 'expired'", 'failed'],
])('a message of %s is told as %s, and nothing else of it', async (values, state) => {
  const phone = nextPhone();
  const { client } = await startSignUp(api, phone);
  await set(phone, `body = null, ${values}`);
  const answer = await ask(client);
  expect(answer).toMatchObject({ status: 200, body: { state } });
  expect(answer.raw.toString()).toBe(JSON.stringify({ state }));
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('of several messages of a flow the last one is told', async () => {
  const phone = nextPhone();
  const { client } = await startSignUp(api, phone);
  await set(phone, "body = null, status = 'failed'");
  expect((await ask(client)).body).toEqual({ state: 'failed' });
  await client.post('/api/auth/resend-otp', { phone });
  await api.readCode(phone, 2);
  await set(phone, "body = null, status = 'sent', delivery = 'delivered'");
  expect((await ask(client)).body).toEqual({ state: 'delivered' });
});

test('each browser is told of its own flow, and each purpose of its own', async () => {
  const { phone } = await buildUser(api.db);
  const { client } = await startReset(api, phone);
  expect((await ask(client, 'reset')).body.state).not.toBe('unknown');
  const unknown = { status: 200, body: { state: 'unknown' } };
  expect(await ask(client, 'signup')).toMatchObject(unknown);
  expect(await ask(api.client(), 'reset')).toMatchObject(unknown);
  const forged = api.client();
  const [id = '', signature = ''] = client.cookies.get('guichet_reset')?.split('.') ?? [];
  for (const cookie of [`${id}.${'A'.repeat(signature.length)}`, id, '.', `${id}x.${signature}`]) {
    forged.cookies.set('guichet_reset', cookie);
    expect(await ask(forged, 'reset'), cookie).toMatchObject(unknown);
  }
  expect((await ask(client, 'reset')).body.state).not.toBe('unknown');
});

test.each(['', '?purpose=', '?purpose=all'])('%s without a purpose is a mistake of the caller', async (query) => {
  expect(await api.client().get(`/api/auth/code-delivery${query}`)).toMatchObject({
    status: 400,
    body: { code: 'INVALID' },
  });
});
