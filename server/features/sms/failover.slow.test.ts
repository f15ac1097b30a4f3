import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from '#server/process/environment.ts';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { eventually } from '#server/testing/eventually.ts';
import type { FakeGateway, Mode } from '#server/testing/gateways/fake-gateway.ts';
import { infobipKeys, startInfobip } from '#server/testing/gateways/infobip.ts';
import { localHttpSettings, startLocalHttp } from '#server/testing/gateways/local-http.ts';
import { type FakeOrange, orangeKeys, startOrange } from '#server/testing/gateways/orange.ts';
import { startTwilio, twilioKeys } from '#server/testing/gateways/twilio.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { openRoute } from './gateways/open-route.ts';
import type { SmsRoute } from './sms-route.ts';

let orange: FakeOrange;
let infobip: FakeGateway;
let twilio: FakeGateway;
let local: FakeGateway;
let sms: SmsRoute;
let api: TestApi;
const outcomes: string[] = [];

beforeAll(async () => {
  [orange, infobip, twilio, local] = await Promise.all([
    startOrange(),
    startInfobip(),
    startTwilio(),
    startLocalHttp(),
  ]);
  const environment = readEnvironment({
    SMS_PROVIDER: '226=orange;225=infobip;223=twilio;228=http;221=orange,infobip;229=infobip,twilio;*=infobip',
    ORANGE_URL: orange.url,
    ORANGE_CLIENT_ID: orangeKeys.clientId,
    ORANGE_CLIENT_SECRET: orangeKeys.clientSecret,
    ORANGE_SENDER_NAME: 'Guichet',
    INFOBIP_URL: infobip.url,
    INFOBIP_API_KEY: infobipKeys.apiKey,
    INFOBIP_SENDER: infobipKeys.sender,
    TWILIO_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilioKeys.accountSid,
    TWILIO_AUTH_TOKEN: twilioKeys.authToken,
    TWILIO_FROM: twilioKeys.from,
    SMS_HTTP_URL: `${local.url}/api/v1/sms`,
    SMS_HTTP_HEADERS: JSON.stringify(localHttpSettings.headers),
    SMS_HTTP_BODY: localHttpSettings.body,
    SMS_HTTP_SENDER: 'Guichet & fils',
    SMS_HTTP_SUCCESS: 'data.0.status=ok',
  });
  sms = openRoute(environment, { file: '/nowhere', receiptSecret: 'r'.repeat(32), print: () => {} });
  const onOutcome = (gateway: string, outcome: string) => void outcomes.push(`${gateway} ${outcome}`);
  api = await startTestApi({ sms, onOutcome, worker: true });
});
afterAll(async () => {
  await api.close();
  await Promise.all([orange, infobip, twilio, local].map((each) => each.close()));
});
// No case begins with a gateway that is left alone because of the one before.
beforeEach(() => api.pool.query('update sms_gateways set unanswered_in_a_row = 0, next_at = null'));

async function readMessage(phone: string) {
  const { rows } = await api.pool.query('select * from sms_messages where recipient = $1', [phone]);
  expect(rows).toHaveLength(1);
  return rows[0];
}

const untilEnded = (phone: string, status: string) =>
  eventually(async () => expect(await readMessage(phone)).toMatchObject({ status, body: null }));

/** Signs a number up, and answers when that was answered. */
async function signUp(phone: string): Promise<number> {
  const { status } = await api.client().post('/api/auth/signup', signUpBody(phone));
  expect(status).toBe(201);
  return performance.now();
}

const inMs = (from: number, to: number | undefined) => `${Math.round((to ?? Number.NaN) - from)} ms`;

test.for([
  ['orange', '+2267000000', () => orange],
  ['infobip', '+225070000000', () => infobip],
  ['twilio', '+2236500000', () => twilio],
  ['http', '+2289000000', () => local],
] as const)(
  'a code reaches %s at the first try, and is the one that counts',
  async ([name, numbers, gateway], { annotate }) => {
    const phone = `${numbers}1`;
    const client = api.client();
    const started = performance.now();
    await client.post('/api/auth/signup', signUpBody(phone));
    await untilEnded(phone, 'sent');
    const [asked, ...others] = gateway().askedFor(phone);
    expect(others).toEqual([]);
    await annotate(`${name}: ${inMs(started, asked?.at)} from sign-up to gateway`);
    expect(await readMessage(phone)).toMatchObject({ provider: name, failure: null, attempts: 1 });
    const code = /est (\d{4})\./.exec(asked?.text ?? '')?.[1];
    expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(200);
  },
);

test.for([
  ['refuses', '+221770000001'],
  ['lies', '+221770000002'],
  ['redirects', '+221770000003'],
  ['is busy', '+221770000004'],
] as [Mode, string][])(
  'where the first gateway %s, the second has the code at once',
  async ([mode, phone], { annotate }) => {
    orange.behave(phone, mode);
    const started = performance.now();
    await signUp(phone);
    await untilEnded(phone, 'sent');
    expect(orange.askedFor(phone)).toHaveLength(1);
    const [asked, ...others] = infobip.askedFor(phone);
    expect(others).toEqual([]);
    await annotate(`first ${mode}: ${inMs(started, asked?.at)} from sign-up to the second`);
    const message = await readMessage(phone);
    expect(message).toMatchObject({ provider: 'infobip', gateway_id: message.reference, attempts: 1 });
  },
);

// These two wait for a gateway's whole time, so they do it together.
test.concurrent('where it is in doubt, the next attempt goes to the second, and no sign-up waits for any of it', async ({
  annotate,
}) => {
  const cases: [Mode, string][] = [
    ['hangs', '+221770000011'],
    ['fails', '+221770000012'],
  ];
  await Promise.all(
    cases.map(async ([mode, phone]) => {
      orange.behave(phone, mode);
      const started = performance.now();
      const answered = await signUp(phone);
      if (mode === 'hangs') {
        // It was answered, while the gateway holds the message and will not let go.
        await eventually(() => expect(orange.askedFor(phone)).toHaveLength(1));
        expect(orange.held()).toBeGreaterThan(0);
        expect((await readMessage(phone)).status).toBe('queued');
      }
      await untilEnded(phone, 'sent');
      expect(orange.askedFor(phone)).toHaveLength(1);
      const [asked, ...others] = infobip.askedFor(phone);
      expect(others).toEqual([]);
      expect(answered).toBeLessThan(asked?.at ?? 0);
      await annotate(
        `first ${mode}: answered after ${inMs(started, answered)}, ${inMs(started, asked?.at)} to the second`,
      );
      expect(await readMessage(phone)).toMatchObject({ provider: 'infobip', attempts: 2, failure: null });
    }),
  );
  expect(orange.held()).toBe(0);
});

test.concurrent('a gateway that took a message and did not say so is asked first: nobody else sends it', async () => {
  const phone = '+2290197000001';
  infobip.behave(phone, 'swallows');
  await signUp(phone);
  await untilEnded(phone, 'sent');
  const message = await readMessage(phone);
  expect(message).toMatchObject({ provider: 'infobip', gateway_id: message.reference, attempts: 2 });
  expect(infobip.askedFor(phone)).toHaveLength(1);
  expect(twilio.askedFor(phone)).toEqual([]);
});

test('a message that every gateway refuses is failed at once, with what each said', async () => {
  const phone = '+221770000021';
  orange.behave(phone, 'lies');
  infobip.behave(phone, 'knows nobody');
  await signUp(phone);
  await untilEnded(phone, 'failed');
  expect(await readMessage(phone)).toMatchObject({
    provider: 'infobip',
    gateway_id: null,
    attempts: 1,
    sent_at: null,
    failure: 'orange : refus (SVC0280) ; infobip : refus (REJECTED_DESTINATION)',
  });
  expect(orange.askedFor(phone)).toHaveLength(1);
  expect(infobip.askedFor(phone)).toHaveLength(1);
});

test('what is left is told of the countries that the settings give a gateway', async () => {
  const [first] = sms.listFor('226');
  expect(await first?.readBalance?.()).toEqual({ units: 0, dialCode: '221' });
});

test('where the first gateway is not there, the second has the code at once', async ({ annotate }) => {
  await orange.close();
  const phone = '+221770000031';
  const started = performance.now();
  await signUp(phone);
  await untilEnded(phone, 'sent');
  const [asked] = infobip.askedFor(phone);
  await annotate(`first down: ${inMs(started, asked?.at)} from sign-up to the second`);
  expect(await readMessage(phone)).toMatchObject({ provider: 'infobip', attempts: 1 });
});

test('each outcome was heard, by gateway, and every request was as its gateway documents it', () => {
  expect(new Set(outcomes)).toEqual(
    new Set([
      'orange sent',
      'orange refused',
      'orange unreachable',
      'orange unknown',
      'infobip sent',
      'infobip refused',
      'infobip unknown',
      'twilio sent',
      'http sent',
    ]),
  );
  for (const { strange } of [orange, infobip, twilio, local]) expect(strange).toEqual([]);
});
