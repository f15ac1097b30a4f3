import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { SmsGateway, SmsOutcome } from '#server/features/sms/sms-route.ts';
import { readEnvironment } from '#server/process/environment.ts';
import { type Asked, type FakeGateway, type Reply, startFakeGateway } from '#server/testing/gateways/fake-gateway.ts';
import { findFreePort } from '#server/testing/server-process.ts';
import { httpGateway } from './http.ts';
import { openRoute } from './open-route.ts';
import { orangeGateway } from './orange.ts';

const text = 'Guichet : votre code est 0042. "Ne le donnez" à {to} & co.\n\n@guichet.example #0042';
const to = '+22670123456';
const message = { to, text };

const fake = await startFakeGateway(() => ({ status: 200 }));
beforeEach(() => {
  fake.asked.length = 0;
});
afterAll(() => fake.close());

/** The gateway that these settings open, for Burkina Faso. */
function open(settings: Record<string, string>): SmsGateway {
  const [gateway] = openRoute(readEnvironment(settings), { file: '', print() {} }).listFor('226');
  if (!gateway) throw new Error('no gateway');
  return gateway;
}

/** The settings that docs/settings.md writes down, but for the address. */
const infobip = () => ({
  SMS_PROVIDER: 'http',
  SMS_HTTP_URL: `${fake.url}/sms/3/messages`,
  SMS_HTTP_HEADERS: '{"Authorization":"App key"}',
  SMS_HTTP_BODY: '{"messages":[{"sender":"{from}","destinations":[{"to":"{toDigits}"}],"content":{"text":"{text}"}}]}',
  SMS_HTTP_SUCCESS: 'messages.0.status.groupId=1',
});
const twilio = () => ({
  SMS_PROVIDER: 'http',
  SMS_HTTP_URL: `${fake.url}/2010-04-01/Accounts/AC1/Messages.json`,
  SMS_HTTP_BASIC: 'AC1:token',
  SMS_HTTP_TYPE: 'form',
  SMS_HTTP_BODY: 'To={to}&From={from}&Body={text}',
  SMS_HTTP_FROM: '+15005550006',
});
const byAddress = () => ({
  SMS_PROVIDER: 'http',
  SMS_HTTP_METHOD: 'GET',
  SMS_HTTP_URL: `${fake.url}/send?to={toDigits}&text={text}&from={from}`,
});

test.each<[string, () => Record<string, string>, Reply, (asked: Asked) => void]>([
  [
    'Infobip',
    infobip,
    { status: 200, body: { messages: [{ status: { groupId: 1, name: 'PENDING_ACCEPTED' } }] } },
    ({ method, path, headers, body }) => {
      expect([method, path]).toEqual(['POST', '/sms/3/messages']);
      expect(headers).toMatchObject({ authorization: 'App key', 'content-type': 'application/json' });
      const destinations = [{ to: '22670123456' }];
      expect(JSON.parse(body)).toEqual({ messages: [{ sender: 'Guichet', destinations, content: { text } }] });
    },
  ],
  [
    'Twilio',
    twilio,
    { status: 201, body: { sid: 'SM1', status: 'queued' } },
    ({ path, headers, body }) => {
      expect(path).toBe('/2010-04-01/Accounts/AC1/Messages.json');
      expect(headers.authorization).toBe(`Basic ${Buffer.from('AC1:token').toString('base64')}`);
      expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
      expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ To: to, From: '+15005550006', Body: text });
    },
  ],
  [
    'one that is asked by its address alone',
    byAddress,
    { status: 200, body: 'OK' },
    ({ method, path, body }) => {
      expect([method, body]).toEqual(['GET', '']);
      const query = Object.fromEntries(new URL(path, fake.url).searchParams);
      expect(query).toEqual({ to: '22670123456', text, from: 'Guichet' });
    },
  ],
])('the settings of a gateway make the request that it documents: %s', async (_, settings, reply, check) => {
  fake.reply = () => reply;
  expect(await open(settings()).send(message)).toEqual({ kind: 'sent' });
  expect(fake.asked).toHaveLength(1);
  check(fake.asked[0] as Asked);
});

/** What nobody may find in a failure: numbers, texts, keys, addresses. */
function expectDiscreet(outcome: SmsOutcome): void {
  if (outcome.kind === 'sent') return;
  expect(outcome.failure).toMatch(/^[a-zà-ÿ].{4,80}$/);
  for (const secret of ['70', 'votre code', 'client-secret', 'token-', '127.0.0.1'])
    expect(outcome.failure).not.toContain(secret);
}

/** Orange's own answer to a token that is asked for, before what is under test. */
const orangeReply =
  (reply: FakeGateway['reply']): FakeGateway['reply'] =>
  (asked) =>
    asked.path === '/oauth/v3/token'
      ? { status: 200, body: { access_token: 'token-1', expires_in: '3600' } }
      : reply(asked);

const orangeSettings = { clientId: 'client', clientSecret: 'client-secret', senderName: 'Guichet' };
const gateways: [string, (url: string, exchangeMs?: number) => SmsGateway][] = [
  ['orange', (url, exchangeMs = 5_000) => orangeGateway({ ...orangeSettings, url, exchangeMs })],
  [
    'http',
    (url, exchangeMs = 5_000) =>
      httpGateway({
        method: 'POST',
        url: `${url}/send`,
        headers: {},
        contentType: 'json',
        body: '{"to":"{to}","text":"{text}"}',
        from: 'Guichet',
        success: { path: ['data', '0', 'status'], value: 'ok' },
        exchangeMs,
      }),
  ],
];

describe.each(gateways)('%s', (_name, gatewayAt) => {
  const outcomes: [string, FakeGateway['reply'], Partial<Exclude<SmsOutcome, { kind: 'sent' }>>][] = [
    ['400', () => ({ status: 400 }), { kind: 'refused', about: undefined }],
    ['401', () => ({ status: 401 }), { kind: 'refused', about: 'account' }],
    [
      'a redirection',
      () => ({ status: 307, headers: { location: '/elsewhere' } }),
      { kind: 'refused', about: 'account' },
    ],
    ['429', () => ({ status: 429, headers: { 'retry-after': '7' } }), { kind: 'unknown', retryAfterSeconds: 7 }],
    ['503', () => ({ status: 503, headers: { 'retry-after': '9999' } }), { kind: 'unknown', retryAfterSeconds: 120 }],
    ['half a body', () => ({ status: 200, body: '{"data":[{' }), { kind: 'unknown' }],
    ["another site's page", () => ({ status: 200, body: '<!doctype html>' }), { kind: 'unknown' }],
    ['a body without end', () => ({ status: 200, body: ' '.repeat(70_000) }), { kind: 'unknown' }],
    ['a broken connection', () => 'hangs up', { kind: 'unknown' }],
  ];
  test.each(outcomes)('answered by %s', async (_answer, reply, expected) => {
    fake.reply = orangeReply(reply);
    const outcome = await gatewayAt(fake.url).send(message);
    expect(outcome).toMatchObject(expected);
    expectDiscreet(outcome);
  });

  test('that does not answer is hung up on, and one that is not there was not asked for certain', async () => {
    const gateway = gatewayAt(fake.url, 700);
    fake.reply = orangeReply(() => 'hangs');
    expect(await gateway.send(message)).toEqual({ kind: 'unknown', failure: 'pas de réponse à temps' });
    const outcome = await gatewayAt(`http://127.0.0.1:${await findFreePort()}`).send(message);
    expect(outcome.kind).toBe('unreachable');
    expectDiscreet(outcome);
  });
});

test('http: a body that says no under a status of success is a refusal', async () => {
  fake.reply = () => ({ status: 200, body: { data: [{ status: 'no credit' }] } });
  expect(await gateways[1]?.[1](fake.url).send(message)).toEqual({
    kind: 'refused',
    failure: 'refus dans la réponse : « no credit »',
  });
});

test.each<[said: string, Reply, failure: string]>([
  [
    'beside a status of its own',
    { status: 200, body: { data: [{ status: 'error', message: 'insufficient credit' }] } },
    'refus dans la réponse : « insufficient credit »',
  ],
  [
    'under an error of HTTP',
    { status: 401, body: { requestError: { serviceException: { messageId: 'X', text: 'Invalid login details' } } } },
    'refus 401 : « Invalid login details »',
  ],
  [
    'in a plain text',
    { status: 402, body: 'ERR: 102 insufficient credit' },
    'refus 402 : « ERR: 102 insufficient credit »',
  ],
  ['in a list', { status: 400, body: { errors: ['bad sender'] } }, 'refus 400 : « bad sender »'],
  ['with a number', { status: 400, body: { message: `No ${to}, 70 12 34 56` } }, 'refus 400 : « No …, … »'],
  [
    'with a key',
    { status: 401, body: { error: 'Bad key 4f8a9c1b2d3e4f5a6b7c8d9e0f, sorry' } },
    'refus 401 : « Bad key … sorry »',
  ],
  ['with our text', { status: 400, body: { message: `Refused: ${text}` } }, 'refus 400'],
  ['as a page', { status: 403, body: '<html><body>Forbidden</body></html>' }, 'refus 403'],
  ['without end', { status: 400, body: { message: 'no '.repeat(400) } }, `refus 400 : « ${'no '.repeat(17).trim()}… »`],
])('http: what a gateway says itself %s is told, without a number, a key or our text', async (_, reply, failure) => {
  fake.reply = () => reply;
  const outcome = await gateways[1]?.[1](fake.url).send(message);
  expect(outcome).toMatchObject({ failure });
  expectDiscreet(outcome as SmsOutcome);
});

describe('Orange', () => {
  const sent = { outboundSMSMessageRequest: { resourceURL: 'https://api.orange.com/requests/1' } };
  const send = (gateway: SmsGateway) => gateway.send(message);

  test('is asked for a token once, from the number of the country, and again when it refuses the token', async () => {
    const gateway = orangeGateway({ ...orangeSettings, url: fake.url });
    let tokens = 0;
    fake.reply = ({ path, headers }) => {
      if (path === '/oauth/v3/token') {
        tokens += 1;
        return { status: 200, body: { access_token: `token-${tokens}`, expires_in: '3600' } };
      }
      return headers.authorization === `Bearer token-${tokens}` && tokens !== 1
        ? { status: 201, body: sent }
        : { status: 401, body: { code: 42 } };
    };
    expect(await Promise.all([send(gateway), send(gateway)])).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
    const before = tokens;
    expect(await send(gateway)).toEqual({ kind: 'sent' });
    expect(tokens).toBe(before);
    const [token] = fake.asked;
    expect(token).toMatchObject({
      body: 'grant_type=client_credentials',
      headers: { authorization: `Basic ${Buffer.from('client:client-secret').toString('base64')}` },
    });
    const last = fake.asked.at(-1);
    expect(last?.path).toBe('/smsmessaging/v1/outbound/tel%3A%2B2260000/requests');
    expect(JSON.parse(last?.body ?? '')).toEqual({
      outboundSMSMessageRequest: {
        address: `tel:${to}`,
        senderAddress: 'tel:+2260000',
        senderName: 'Guichet',
        outboundSMSTextMessage: { message: text },
      },
    });
  });

  const exception = (status: number, messageId: string) => ({
    status,
    body: { requestError: { serviceException: { messageId, text: `No ${to}` } } },
  });
  test.each<[string, Reply, object]>([
    ['a number that it does not know', exception(400, 'SVC0004'), { kind: 'refused', about: 'number' }],
    ['a refusal under a status of success', exception(200, 'SVC0280'), { kind: 'refused', failure: 'refus (SVC0280)' }],
    ['a policy', exception(403, 'POL0001'), { kind: 'refused', about: 'account', failure: 'refus 403 (POL0001)' }],
  ])('tells %s', async (_, reply, expected) => {
    fake.reply = orangeReply(() => reply);
    expect(await send(orangeGateway({ ...orangeSettings, url: fake.url }))).toMatchObject(expected);
  });

  test('without a token nothing was sent: keys that it refuses, or no answer', async () => {
    const gateway = orangeGateway({ ...orangeSettings, url: fake.url });
    fake.reply = () => ({ status: 401, body: { error: 'invalid_client' } });
    expect(await send(gateway)).toMatchObject({ kind: 'refused', about: 'account', failure: 'jeton : refus 401' });
    fake.reply = () => ({ status: 503 });
    expect(await send(gateway)).toMatchObject({ kind: 'unreachable', failure: 'jeton : erreur 503' });
    expect(await gateway.send({ to: '+22790123456', text })).toMatchObject({ kind: 'refused', about: 'number' });
  });
});
