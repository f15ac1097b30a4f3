import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { SmsGateway, SmsOutcome } from '#server/features/sms/sms-route.ts';
import { nextPhone } from '#server/testing/builders.ts';
import { startDeafPort } from '#server/testing/deaf-port.ts';
import type { FakeGateway, Mode } from '#server/testing/gateways/fake-gateway.ts';
import { infobipKeys, startInfobip } from '#server/testing/gateways/infobip.ts';
import { localHttpSettings, startLocalHttp } from '#server/testing/gateways/local-http.ts';
import { type FakeOrange, orangeKeys, startOrange } from '#server/testing/gateways/orange.ts';
import { startTwilio, twilioKeys } from '#server/testing/gateways/twilio.ts';
import { findFreePort } from '#server/testing/server-process.ts';
import { httpGateway } from './http.ts';
import { infobipGateway } from './infobip.ts';
import { orangeGateway } from './orange.ts';
import { twilioGateway } from './twilio.ts';

const receiptUrl = 'https://guichet.example/api/sms/receipts/secret/';
const text = 'Guichet : votre code de vérification est 0042. "Ne le donnez" à {to} & co.\n\n@guichet.example #0042';
/** Enough for a gateway on this machine that means to answer. */
const patient = 5_000;
/** For one that does not. */
const impatient = 1_500;
const senders = { '226': '2260000', '225': '2250000', '223': '2230000', '221': '2210000' };

const makers: Record<string, (url: string, exchangeMs: number) => SmsGateway> = {
  orange: (url, exchangeMs) =>
    orangeGateway({ url, ...orangeKeys, senderName: 'Guichet', senders, carries: ['226', '225'], exchangeMs }),
  infobip: (url, exchangeMs) =>
    infobipGateway({ url, ...infobipKeys, receiptUrl: `${receiptUrl}infobip`, exchangeMs, lookUpMs: exchangeMs }),
  twilio: (url, exchangeMs) =>
    twilioGateway({
      url,
      accountSid: twilioKeys.accountSid,
      authToken: twilioKeys.authToken,
      sender: { From: twilioKeys.from },
      receiptUrl: `${receiptUrl}twilio`,
      exchangeMs,
    }),
  http: (url, exchangeMs) => local({ url: `${url}/api/v1/sms`, exchangeMs }),
};

function open(name: string, url: string, exchangeMs = patient): SmsGateway {
  const make = makers[name];
  if (!make) throw new Error(`no gateway ${name}`);
  return make(url, exchangeMs);
}

function local(settings: Partial<Parameters<typeof httpGateway>[0]>): SmsGateway {
  return httpGateway({
    url: nobody,
    ...localHttpSettings,
    contentType: 'json',
    sender: 'Guichet & fils',
    success: { path: ['data', '0', 'status'], value: 'ok' },
    idPath: ['data', '0', 'id'],
    dialCodes: undefined,
    ...settings,
  });
}

let fakes: Record<string, FakeGateway>;
let orange: FakeOrange;
/** Where nothing listens. */
let nobody: string;
beforeAll(async () => {
  nobody = `http://127.0.0.1:${await findFreePort()}`;
  orange = await startOrange();
  fakes = {
    orange,
    infobip: await startInfobip({ receiptUrl: `${receiptUrl}infobip` }),
    twilio: await startTwilio({ receiptUrl: `${receiptUrl}twilio` }),
    http: await startLocalHttp(),
  };
});
afterAll(() => Promise.all(Object.values(fakes).map((each) => each.close())));

const message = (to = nextPhone()) => ({ to, text, reference: randomUUID() });

/** What nobody may find in a failure: numbers, texts, keys. */
const secrets = [
  '70',
  '22670123456',
  'votre code',
  orangeKeys.clientSecret,
  infobipKeys.apiKey,
  twilioKeys.authToken,
  'local-token',
  '127.0.0.1',
];

function expectDiscreet(outcome: SmsOutcome): void {
  if (outcome.kind === 'sent') return;
  expect(outcome.failure).toMatch(/^[a-zà-ÿ].{4,80}$/);
  for (const secret of secrets) expect(outcome.failure).not.toContain(secret);
}

const names = Object.keys(makers);

describe.each(names)('%s', (name) => {
  let fake: FakeGateway;
  const send = (exchangeMs = patient, sms = message()) => open(name, fake.url, exchangeMs).send(sms);
  beforeEach(() => {
    fake = fakes[name] as FakeGateway;
    fake.mode = 'takes';
  });
  afterEach(() => {
    expect(fake.strange.splice(0)).toEqual([]);
  });

  test('sends a message as the gateway documents it, and keeps what it is called there', async () => {
    const sms = message();
    expect(await send(patient, sms)).toEqual({ kind: 'sent', gatewayId: expect.stringMatching(/^[\w-]+$/) });
    const [asked] = fake.askedFor(sms.to);
    expect(asked).toMatchObject({ to: sms.to, text });
    expect([undefined, sms.reference]).toContain(asked?.reference);
  });

  const expected: [Mode, SmsOutcome['kind']][] = [
    ['refuses', 'refused'],
    ['lies', 'refused'],
    ['knows nobody', 'refused'],
    ['redirects', 'refused'],
    ['is busy', 'unreachable'],
    ['asks to wait', 'unreachable'],
    ['fails', 'unknown'],
    ['gives up', 'unknown'],
    ['garbles', 'unknown'],
    ['shows a page', 'unknown'],
    ['says too much', 'unknown'],
    ['resets', 'unknown'],
  ];
  test.each(expected)('that %s: %s, in words that tell no number, text or key', async (mode, kind) => {
    const sms = message();
    fake.mode = mode;
    const outcome = await send(patient, sms);
    expect(outcome).toMatchObject({ kind });
    expectDiscreet(outcome);
    expect(fake.askedFor(sms.to)).toHaveLength(1);
  });

  test.each(inject('scale') === 'full' ? (['hangs', 'drips'] as const) : [])('that %s is hung up on', async (mode) => {
    // Orange's token first, which is no part of what is slow here.
    const gateway = open(name, fake.url, impatient);
    while ((await gateway.send(message())).kind !== 'sent');
    fake.mode = mode;
    const outcome = await gateway.send(message());
    expect(outcome).toEqual({ kind: 'unknown', failure: 'pas de réponse à temps' });
    await expect.poll(() => fake.held()).toBe(0);
  });

  test('that cannot show who it is gets nothing', async () => {
    const before = fake.asked.length;
    const outcome = await open(name, fake.url.replace('http:', 'https:')).send(message());
    expect(outcome).toMatchObject({ kind: 'unreachable' });
    expectDiscreet(outcome);
    expect(fake.asked).toHaveLength(before);
  });

  test('that is not there was surely not sent to', async () => {
    const outcome = await open(name, nobody).send(message());
    expect(outcome).toMatchObject({
      kind: 'unreachable',
      failure: expect.stringContaining('injoignable (ECONNREFUSED)'),
    });
    const nowhere = await open(name, 'http://a..b').send(message());
    expect(nowhere).toMatchObject({ kind: 'unreachable' });
    expectDiscreet(nowhere);
  });
});

test('where no connection comes about nothing was sent, which is known before the time for an answer is over', async () => {
  const deaf = await startDeafPort();
  const outcome = await local({ url: `http://127.0.0.1:${deaf.port}/sms` }).send(message());
  expect(outcome).toEqual({ kind: 'unreachable', failure: 'injoignable (UND_ERR_CONNECT_TIMEOUT)' });
  await deaf.close();
});

test('wrong keys are refusals, told without the keys', async () => {
  const { orange: o, infobip: i, twilio: t, http: h } = fakes as Record<string, { url: string }>;
  const wrong: [SmsGateway, string][] = [
    [
      orangeGateway({
        url: `${o?.url}`,
        clientId: 'x',
        clientSecret: 'wrong',
        senderName: undefined,
        senders,
        carries: [],
      }),
      'jeton : refus 401',
    ],
    [
      infobipGateway({ url: `${i?.url}`, apiKey: 'wrong', sender: 'Guichet', receiptUrl: undefined }),
      'refus 401 (UNAUTHORIZED)',
    ],
    [
      twilioGateway({
        url: `${t?.url}`,
        accountSid: twilioKeys.accountSid,
        authToken: 'wrong',
        sender: { MessagingServiceSid: 'MG0' },
        receiptUrl: undefined,
      }),
      'refus 401 (20003)',
    ],
    [local({ url: `${h?.url}/api/v1/sms`, headers: { 'X-AUTH-TOKEN': 'wrong' } }), 'refus 401'],
  ];
  for (const [gateway, failure] of wrong)
    expect(await gateway.send(message())).toEqual({ kind: 'refused', failure, about: 'account' });
  for (const { strange } of Object.values(fakes)) expect(strange.splice(0)).toHaveLength(1);
  // Nor does it take a message to find out.
  for (const [gateway, failure] of wrong.slice(0, 3))
    expect(await gateway.checkKeys?.()).toEqual({ kind: 'refused', failure, about: 'account' });
  for (const name of ['orange', 'infobip', 'twilio']) {
    expect(fakes[name]?.strange.splice(0)).toHaveLength(1);
    expect(await open(name, `${fakes[name]?.url}`).checkKeys?.()).toBeUndefined();
    expect(await open(name, nobody).checkKeys?.()).toMatchObject({ kind: 'unreachable' });
    expect(fakes[name]?.strange).toEqual([]);
  }
});

describe('Orange', () => {
  const gateway = () => open('orange', orange.url);
  beforeEach(() => {
    orange.mode = 'takes';
  });

  test('sends from the number of each country it serves, and refuses the others itself', async () => {
    const served = ['+22670100001', '+2250701000002', '+22365100003', '+221771000004'];
    for (const to of served) expect(await gateway().send(message(to))).toMatchObject({ kind: 'sent' });
    const before = orange.asked.length;
    expect(await gateway().send(message('+22997100005'))).toEqual({ kind: 'refused', failure: 'pays non desservi' });
    expect(orange.asked).toHaveLength(before);
    expect(orange.strange).toEqual([]);
  });

  test('asks for one token for many messages, and for another one, once, when it has ended early', async () => {
    const one = gateway();
    const before = orange.tokens();
    await Promise.all(Array.from({ length: 5 }, () => one.send(message())));
    expect(orange.tokens()).toBe(before + 1);
    orange.expireTokens();
    expect(await one.send(message())).toMatchObject({ kind: 'sent' });
    expect(orange.tokens()).toBe(before + 2);
    expect(orange.strange.splice(0)).toEqual([expect.stringContaining('Expired credentials')]);
  });

  test.each(['listed', 'nested'] as const)(
    'tells the messages left of the country that has fewest, of those it carries, without what is over, as %s contracts',
    async (shape) => {
      orange.contracts = shape;
      orange.units = Object.assign(orange.units, { BFA: 1_000 });
      delete orange.units.CIV;
      const balanceOf = (...carries: string[]) =>
        orangeGateway({ url: orange.url, ...orangeKeys, senderName: undefined, senders, carries }).readBalance?.();
      expect(await balanceOf('226')).toEqual({ units: 1_000, dialCode: '226' });
      orange.units = Object.assign(orange.units, { BFA: 500, CIV: 120 });
      expect(await gateway().readBalance?.()).toEqual({ units: 120, dialCode: '225' });
      expect(await balanceOf('226', '223')).toEqual({ units: 500, dialCode: '226' });
      expect(await balanceOf('226', '221')).toEqual({ units: 0, dialCode: '221' });
      expect(await balanceOf('223')).toEqual({ units: 0 });
      expect(await open('orange', nobody).readBalance?.()).toEqual({
        kind: 'unreachable',
        failure: 'jeton : injoignable (ECONNREFUSED)',
      });
    },
  );
});

test("Orange's contracts that cannot be read are not taken for none", async () => {
  orange.contracts = 'unreadable';
  expect(await open('orange', orange.url).readBalance?.()).toEqual({ failure: 'réponse illisible' });
});

test("what a refusal is about is known by the gateway's own name for it", async () => {
  for (const [name, about] of [
    ['orange', 'number'],
    ['infobip', 'number'],
    ['twilio', 'number'],
    ['http', undefined],
  ] as const) {
    const fake = fakes[name] as FakeGateway;
    fake.mode = 'knows nobody';
    const outcome = await open(name, fake.url).send(message());
    expect('about' in outcome ? outcome.about : undefined, name).toBe(about);
    fake.mode = 'lies';
    const lie = await open(name, fake.url).send(message());
    expect('about' in lie ? lie.about : undefined, name).toBe(name === 'infobip' ? 'account' : undefined);
    fake.mode = 'takes';
  }
});

test('what a gateway asks to wait is told in seconds, of an instant as well, and never more than a code lives', async () => {
  const told: (number | undefined)[] = [];
  let header = '7';
  const server = http.createServer((_, response) => response.writeHead(503, { 'retry-after': header }).end('{}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const gateway = local({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms` });
  for (header of [
    '7',
    '86400',
    new Date(Date.now() + 3_600_000).toUTCString(),
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'soon',
  ]) {
    const outcome = await gateway.send(message());
    told.push('retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : undefined);
  }
  server.closeAllConnections();
  server.close();
  expect(told).toEqual([7, 300, 300, 0, undefined]);
});

describe('Twilio', () => {
  test.each(['swallows', 'hangs'] as const)(
    'tells of a message that it %s whether it has it, by its words',
    async (mode) => {
      const fake = fakes.twilio as FakeGateway;
      const gateway = open('twilio', fake.url);
      const sms = message();
      fake.behave(sms.to, mode);
      expect(await open('twilio', fake.url, impatient).send(sms)).toMatchObject({ kind: 'unknown' });
      const found = { kind: 'sent', gatewayId: expect.stringMatching(/^SM\d+$/) };
      expect(await gateway.find?.(sms, new Date())).toEqual(mode === 'swallows' ? found : undefined);
      // One of the same words that is older is another message.
      expect(await gateway.find?.(sms, new Date(Date.now() + 120_000))).toBeUndefined();
      expect(await gateway.find?.({ ...sms, text: 'Autre chose' }, new Date())).toBeUndefined();
      expect(await open('twilio', nobody).find?.(sms, new Date())).toBeUndefined();
    },
  );
});

describe('Infobip', () => {
  test.each([
    [0, 'MESSAGE_ACCEPTED', 'sent'],
    [1, 'PENDING_ENROUTE', 'sent'],
    [3, 'DELIVERED_TO_HANDSET', 'sent'],
    [5, 'REJECTED_DUPLICATE_MESSAGE_ID', 'sent'],
    [2, 'UNDELIVERABLE_NOT_DELIVERED', 'refused'],
    [4, 'EXPIRED_EXPIRED', 'refused'],
    [5, 'REJECTED_DND', 'refused'],
    [9, 'SOMETHING_NEW', 'unknown'],
  ])('says by group %i, %s, that a message is %s', async (groupId, name, kind) => {
    const server = http.createServer((_, response) => {
      const messages = [{ messageId: 'ours', status: { groupId, name } }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ messages }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await open('infobip', url).send(message())).toMatchObject({ kind });
    server.closeAllConnections();
    server.close();
  });

  test.each(['swallows', 'hangs'] as const)('tells of a message that it %s whether it has it', async (mode) => {
    const fake = fakes.infobip as FakeGateway;
    const gateway = open('infobip', fake.url, impatient);
    const sms = message();
    fake.behave(sms.to, mode);
    expect(await gateway.send(sms)).toMatchObject({ kind: 'unknown' });
    const found = await open('infobip', fake.url).find?.(sms, new Date());
    expect(found).toEqual(mode === 'swallows' ? { kind: 'sent', gatewayId: sms.reference } : undefined);
    expect(await open('infobip', nobody).find?.(sms, new Date())).toBeUndefined();
  });
});

describe('a local gateway', () => {
  const url = () => `${fakes.http?.url}/api/v1/sms`;
  beforeEach(() => {
    (fakes.http as FakeGateway).mode = 'takes';
  });

  test('without a place of success its status decides, and without one of an id there is none', async () => {
    const gateway = local({ url: url(), success: undefined, idPath: undefined });
    expect(await gateway.send(message())).toEqual({ kind: 'sent', gatewayId: null });
  });

  test('gets a header of the settings in place of the usual one, however its name is written', async () => {
    const headers = { ...localHttpSettings.headers, 'Content-Type': 'application/json', ACCEPT: '*/*' };
    expect(await local({ url: url(), headers }).send(message())).toMatchObject({ kind: 'sent' });
  });

  test('of which only the place of success is known must have something there', async () => {
    const there = local({ url: url(), success: { path: ['data', '0', 'id'], value: undefined } });
    expect(await there.send(message())).toMatchObject({ kind: 'sent' });
    const away = local({ url: url(), success: { path: ['toString', 'name'], value: undefined } });
    expect(await away.send(message())).toMatchObject({ kind: 'unknown' });
  });

  test('that takes forms gets one, each value escaped', async () => {
    const body = 'from={sender}&to={to}&digits={toDigits}&text={text}&ref={reference}';
    const sms = message();
    expect(await local({ url: url(), contentType: 'form', body }).send(sms)).toMatchObject({ kind: 'sent' });
    expect(fakes.http?.askedFor(sms.to)).toMatchObject([{ text, reference: sms.reference }]);
  });
});
