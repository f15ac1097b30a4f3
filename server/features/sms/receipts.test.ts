import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { receiptAddress, receiptSecret } from './receipts.ts';

const secret = receiptSecret(undefined, 'a secret of the tests, long enough');
const at = (gateway: string, key = secret) => `/api/sms/receipts/${key}/${gateway}`;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** A message that left through a gateway. */
async function buildSent(provider: string, gatewayId: string | null = randomUUID()) {
  const { rows } = await api.pool.query(
    `insert into sms_messages (recipient, status, provider, gateway_id, drop_after, sent_at)
     values ($1, 'sent', $2, $3, now(), now()) returning id, reference`,
    [nextPhone(), provider, gatewayId],
  );
  return { id: rows[0].id as number, reference: rows[0].reference as string, gatewayId: gatewayId ?? '' };
}

async function readDelivery(id: number) {
  const { rows } = await api.pool.query('select delivery, delivered_at from sms_messages where id = $1', [id]);
  return rows[0] as { delivery: string | null; delivered_at: Date | null };
}

const bodies = {
  orange: (id: string, deliveryStatus: string) => ({
    deliveryInfoNotification: { callbackData: id, deliveryInfo: { address: 'tel:+22670123456', deliveryStatus } },
  }),
  infobip: (id: string, groupId: number) => ({
    results: [{ bulkId: 'b', messageId: id, to: '22670123456', status: { groupId, groupName: 'X', id: 5 }, price: {} }],
  }),
};

const send = {
  orange: (id: string, status: string) => api.client().post(at('orange'), bodies.orange(id, status)),
  infobip: (id: string, groupId: number) => api.client().post(at('infobip'), bodies.infobip(id, groupId)),
  twilio: (id: string, status: string) =>
    api.client().send('POST', at('twilio'), new URLSearchParams({ MessageSid: id, MessageStatus: status }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    }),
};

const delivered = { delivery: 'delivered', delivered_at: expect.any(Date) };
const undelivered = { delivery: 'undelivered', delivered_at: null };
const untold = { delivery: null, delivered_at: null };

test.each([
  ['orange', (id: string) => send.orange(id, 'DeliveredToTerminal'), delivered],
  ['orange', (id: string) => send.orange(id, 'DeliveryImpossible'), undelivered],
  ['orange', (id: string) => send.orange(id, 'MessageWaiting'), untold],
  ['infobip', (id: string) => send.infobip(id, 3), delivered],
  ['infobip', (id: string) => send.infobip(id, 2), undelivered],
  ['infobip', (id: string) => send.infobip(id, 4), undelivered],
  ['infobip', (id: string) => send.infobip(id, 5), undelivered],
  ['infobip', (id: string) => send.infobip(id, 1), untold],
  ['twilio', (id: string) => send.twilio(id, 'delivered'), delivered],
  ['twilio', (id: string) => send.twilio(id, 'undelivered'), undelivered],
  ['twilio', (id: string) => send.twilio(id, 'failed'), undelivered],
  ['twilio', (id: string) => send.twilio(id, 'sent'), untold],
])('of %s, a receipt is written down (%#)', async (provider, tell, expected) => {
  const { id, gatewayId } = await buildSent(provider);
  const { id: other } = await buildSent(provider);
  expect(await tell(gatewayId)).toMatchObject({ status: 200, body: { received: true } });
  expect(await readDelivery(id)).toEqual(expected);
  expect(await readDelivery(other)).toEqual(untold);
});

test('said again it changes nothing, and what was delivered stays so', async () => {
  const { id, gatewayId } = await buildSent('twilio');
  await send.twilio(gatewayId, 'undelivered');
  await send.twilio(gatewayId, 'delivered');
  const first = await readDelivery(id);
  expect(first).toEqual(delivered);
  for (const status of ['delivered', 'undelivered', 'failed'])
    expect((await send.twilio(gatewayId, status)).status).toBe(200);
  expect(await readDelivery(id)).toEqual(first);
});

test('one that nobody knows, or that another gateway sent, is taken and changes nothing', async () => {
  const { id, gatewayId } = await buildSent('orange');
  for (const name of [randomUUID(), 'no uuid']) expect((await send.infobip(name, 3)).status).toBe(200);
  expect((await send.twilio(gatewayId, 'delivered')).status).toBe(200);
  expect(await readDelivery(id)).toEqual(untold);
});

describe('under our own name for a message', () => {
  test("it counts before the gateway's answer was noted", async () => {
    const { id, reference } = await buildSent('infobip', null);
    await send.infobip(reference, 3);
    expect(await readDelivery(id)).toEqual(delivered);
  });

  test('a gateway that failed first tells of success, and not of the failure of who came after', async () => {
    const { id, reference } = await buildSent('twilio');
    await send.infobip(reference, 5);
    expect(await readDelivery(id)).toEqual(untold);
    await send.infobip(reference, 3);
    expect(await readDelivery(id)).toEqual(delivered);
  });
});

test('many in one request are each written down', async () => {
  const [first, second] = [await buildSent('infobip'), await buildSent('infobip')];
  const results = [
    ...bodies.infobip(first.gatewayId, 3).results,
    ...bodies.infobip(second.gatewayId, 5).results,
    ...bodies.infobip(second.gatewayId, 5).results,
  ];
  expect((await api.client().post(at('infobip'), { results })).status).toBe(200);
  expect([await readDelivery(first.id), await readDelivery(second.id)]).toEqual([delivered, undelivered]);
});

describe('without the secret', () => {
  const body = bodies.orange('x', 'DeliveredToTerminal');

  test.each([
    ['another secret', at('orange', `${secret.slice(0, -1)}!`)],
    ['a part of it', at('orange', secret.slice(0, -1))],
    ['none', at('orange', '%20')],
    ['a gateway that sends none', at('console')],
    ['a name of objects', at('constructor')],
  ])('%s is nothing at all, whatever is sent', async (_, url) => {
    const nothing = await api.client().post('/api/sms/nothing/here', body);
    expect(nothing.status).toBe(404);
    for (const answer of [
      await api.client().post(url, body),
      await api.client().post(url, { not: 'a receipt' }),
      await api.client().send('POST', url, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      await api.client().send('POST', url, '<a/>', { 'content-type': 'text/xml' }),
    ])
      expect(answer).toMatchObject({ status: 404, body: nothing.body });
  });

  test('and nothing is read there', async () => {
    expect((await api.client().get(at('orange'))).status).toBe(404);
  });
});

test("a body that is none of the gateway's is 400, of another type 415, and a long one 413", async () => {
  const client = api.client();
  const nasty = ['', 'a\0b', '\ud800', 'a'.repeat(201), { length: { toString: 1 } }, [[[]]], 1e308].map(
    (messageId) => ({
      results: [{ messageId, status: { groupId: 3 } }],
    }),
  );
  for (const body of [{}, [], { results: [] }, bodies.orange('x', 'y'), ...nasty])
    expect(await client.post(at('infobip'), body)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  expect((await client.send('POST', at('twilio'), 'MessageSid=x', formType)).status).toBe(400);
  expect((await client.send('POST', at('twilio'), '<a/>', { 'content-type': 'text/xml' })).status).toBe(415);
  expect((await client.send('POST', at('twilio'), `a=${'b'.repeat(300_000)}`, formType)).status).toBe(413);
});
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

test('forms are taken here alone', async () => {
  const answer = await api.client().send('POST', '/api/auth/signin', 'phoneOrEmail=a&password=b', formType);
  expect(answer.status).toBe(415);
});

test("a gateway may say from where it comes, which nobody's browser decides", async () => {
  const { id, gatewayId } = await buildSent('orange');
  const headers = { origin: 'https://gateway.example', 'sec-fetch-site': 'cross-site' };
  const answer = await api.client().post(at('orange'), bodies.orange(gatewayId, 'DeliveredToTerminal'), headers);
  expect(answer.status).toBe(200);
  expect(await readDelivery(id)).toEqual(delivered);
});

test("the address for a gateway is of the public one, and its secret is the setting or follows from the product's", () => {
  expect(receiptAddress('https://guichet.example:8443/', 's', 'orange')).toBe(
    'https://guichet.example:8443/api/sms/receipts/s/orange',
  );
  expect(receiptAddress(undefined, 's', 'orange')).toBeUndefined();
  expect(receiptSecret('set', 'product')).toBe('set');
  expect(receiptSecret(undefined, 'product')).toMatch(/^[\w-]{43}$/);
  expect(receiptSecret(undefined, 'product')).not.toBe(receiptSecret(undefined, 'another'));
});
