import { describe, expect, test } from 'vitest';
import { countries } from '#contract/phone.ts';
import { readEnvironment, UnreadableSetting } from './environment.ts';
import { planSms } from './sms-settings.ts';

const orange = { ORANGE_CLIENT_ID: 'client', ORANGE_CLIENT_SECRET: 'secret-of-orange' };
const infobip = { INFOBIP_URL: 'https://x.api.infobip.com/', INFOBIP_API_KEY: 'key', INFOBIP_SENDER: 'Guichet' };
const twilio = { TWILIO_ACCOUNT_SID: 'AC0123456789', TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+15005550006' };
const http = { SMS_HTTP_URL: 'https://sms.example/send', SMS_HTTP_BODY: '{"to":"{to}","text":"{text}"}' };
const all = { ...orange, ...infobip, ...twilio, ...http };

/** The sentence settings are refused with. */
function refusalOf(variables: NodeJS.ProcessEnv): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableSetting);
    const { message } = error as Error;
    expect(message).toMatch(/^Le réglage .*\.$/);
    return message;
  }
  throw new Error(`accepted: ${JSON.stringify(variables)}`);
}

const planOf = (provider: string, others: NodeJS.ProcessEnv = all) =>
  planSms(readEnvironment({ ...others, SMS_PROVIDER: provider }));

describe('SMS_PROVIDER', () => {
  test('of one gateway sends everything through it', () => {
    for (const name of ['console', 'file', 'infobip', 'twilio', 'http']) {
      const { names, byDialCode } = planOf(name);
      expect(names).toEqual([name]);
      expect([...byDialCode.keys()].sort()).toEqual(countries.map(({ code }) => code.slice(1)).sort());
      for (const list of byDialCode.values()) expect(list).toEqual([name]);
    }
  });

  test('of a list tries each, in its order, for the countries that it serves', () => {
    const { names, byDialCode } = planOf('orange, infobip,twilio');
    expect(names).toEqual(['orange', 'infobip', 'twilio']);
    for (const code of ['226', '225', '223', '221'])
      expect(byDialCode.get(code)).toEqual(['orange', 'infobip', 'twilio']);
    for (const code of ['227', '229', '228']) expect(byDialCode.get(code)).toEqual(['infobip', 'twilio']);
  });

  test('by country names those of each, and of all others', () => {
    const { names, byDialCode } = planOf('226=infobip,orange; 229=twilio ;*=orange,http');
    expect(names).toEqual(['infobip', 'orange', 'twilio', 'http']);
    expect(byDialCode.get('226')).toEqual(['infobip', 'orange']);
    expect(byDialCode.get('229')).toEqual(['twilio']);
    expect(byDialCode.get('225')).toEqual(['orange', 'http']);
    expect(byDialCode.get('227')).toEqual(['http']);
  });

  test.each([
    ['orange', 'Niger (+227)'],
    ['226=infobip;229=infobip', "Côte d'Ivoire (+225)"],
    ['http', 'Burkina Faso (+226)'],
    ['229=orange;*=infobip', 'Bénin (+229)'],
  ])('%s is refused at the start, and the country that it forgets is named: %s', (provider, country) => {
    const settings = { ...all, SMS_PROVIDER: provider, SMS_HTTP_COUNTRIES: '229,228' };
    const sentence = refusalOf(settings);
    expect(sentence).toContain('SMS_PROVIDER');
    expect(sentence).toContain(country);
  });

  test.each(['pigeon', 'orange,pigeon', '33=infobip;*=infobip', '226=infobip;226=twilio', '226=a=b', ',', '*='])(
    '%s is no list of gateways',
    (provider) => {
      expect(refusalOf({ ...all, SMS_PROVIDER: provider })).toContain('SMS_PROVIDER');
    },
  );
});

test.each([
  ['orange,infobip', orange, 'ORANGE_CLIENT_SECRET'],
  ['orange,infobip', orange, 'ORANGE_CLIENT_ID'],
  ['infobip', infobip, 'INFOBIP_URL'],
  ['infobip', infobip, 'INFOBIP_API_KEY'],
  ['infobip', infobip, 'INFOBIP_SENDER'],
  ['twilio', twilio, 'TWILIO_ACCOUNT_SID'],
  ['twilio', twilio, 'TWILIO_AUTH_TOKEN'],
  ['twilio', twilio, 'TWILIO_FROM'],
  ['http', http, 'SMS_HTTP_URL'],
  ['http', http, 'SMS_HTTP_BODY'],
])('%s with %j, but for one, says that %s is missing', (provider, settings, name) => {
  const { [name]: left, ...others } = { ...infobip, ...settings } as Record<string, string>;
  expect(left).toBeTruthy();
  expect(refusalOf({ ...others, SMS_PROVIDER: provider })).toContain(name);
});

test('a messaging service does instead of a number to send from', () => {
  const { TWILIO_FROM: _, ...others } = twilio;
  const read = readEnvironment({ ...others, TWILIO_MESSAGING_SERVICE_SID: 'MG0123456789', SMS_PROVIDER: 'twilio' });
  expect(read.TWILIO_MESSAGING_SERVICE_SID).toBe('MG0123456789');
});

test('what is set is read', () => {
  const read = readEnvironment({
    ...all,
    ORANGE_SENDERS: '226=2261111',
    SMS_HTTP_HEADERS: '{"X-AUTH-TOKEN":"abc"}',
    SMS_HTTP_SUCCESS: 'data.0.status=ok=1',
    SMS_HTTP_ID: 'data.0.id',
    SMS_HTTP_COUNTRIES: '229, 228',
    SMS_RECEIPT_SECRET: 'r'.repeat(32),
  });
  expect(read).toMatchObject({
    ORANGE_URL: 'https://api.orange.com',
    ORANGE_SENDERS: { '226': '2261111', '225': '2250000', '223': '2230000', '221': '2210000' },
    INFOBIP_URL: 'https://x.api.infobip.com',
    TWILIO_URL: 'https://api.twilio.com',
    SMS_HTTP_HEADERS: { 'X-AUTH-TOKEN': 'abc' },
    SMS_HTTP_SUCCESS: { path: ['data', '0', 'status'], value: 'ok=1' },
    SMS_HTTP_ID: ['data', '0', 'id'],
    SMS_HTTP_COUNTRIES: ['229', '228'],
    SMS_RECEIPT_SECRET: 'r'.repeat(32),
  });
  expect(readEnvironment({ SMS_HTTP_SUCCESS: 'message_id' }).SMS_HTTP_SUCCESS).toEqual({
    path: ['message_id'],
    value: undefined,
  });
  expect(readEnvironment({ INFOBIP_URL: 'http://127.0.0.1:4000' }).INFOBIP_URL).toBe('http://127.0.0.1:4000');
});

test("a gateway's rate is Orange's own unless set, and of the others none", () => {
  const ratesOf = (variables: NodeJS.ProcessEnv) => {
    const { ORANGE_PER_SECOND, INFOBIP_PER_SECOND, TWILIO_PER_SECOND, SMS_HTTP_PER_SECOND } =
      readEnvironment(variables);
    return [ORANGE_PER_SECOND, INFOBIP_PER_SECOND, TWILIO_PER_SECOND, SMS_HTTP_PER_SECOND];
  };
  expect(ratesOf({})).toEqual([5, undefined, undefined, undefined]);
  expect(
    ratesOf({
      ORANGE_PER_SECOND: '50',
      INFOBIP_PER_SECOND: '0.5',
      TWILIO_PER_SECOND: '100',
      SMS_HTTP_PER_SECOND: '1',
    }),
  ).toEqual([50, 0.5, 100, 1]);
});

test.each([
  ['SMS_HTTP_URL', 'SMS_HTTP_HEADERS, comme {"Authorization":'],
  ['ORANGE_URL', 'leurs propres réglages'],
  ['INFOBIP_URL', 'leurs propres réglages'],
  ['TWILIO_URL', 'leurs propres réglages'],
])('%s with a name or a password in it is refused, and where they belong is said', (name, where) => {
  for (const keys of ['keyword', 'somebody:keyword', ':keyword']) {
    const sentence = refusalOf({ ...all, SMS_PROVIDER: 'http', [name]: `https://${keys}@sms.example/send` });
    expect(sentence).toContain(name);
    expect(sentence).toContain(where);
    expect(sentence).not.toContain('keyword');
  }
});

test.each([
  ['ORANGE_URL', 'http://api.orange.com'],
  ['INFOBIP_URL', 'x.api.infobip.com'],
  ['INFOBIP_URL', 'http://127.0.0.1@x.api.infobip.com/'],
  ['ORANGE_CLIENT_SECRET', 'with a space'],
  ['ORANGE_SENDER_NAME', 'longer-than-eleven'],
  ['ORANGE_SENDERS', '229=2290000'],
  ['TWILIO_ACCOUNT_SID', 'SK0123456789'],
  ['SMS_RECEIPT_SECRET', 'too-short'],
  ['SMS_RECEIPT_SECRET', `${'r'.repeat(32)}/../`],
  ['SMS_HTTP_HEADERS', 'X-AUTH-TOKEN: keyword'],
  ['SMS_HTTP_HEADERS', '{"X-AUTH-TOKEN":"key\\nword"}'],
  ['SMS_HTTP_HEADERS', '{"Content-Length":"keyword"}'],
  ['SMS_HTTP_HEADERS', '{"host":"keyword.example"}'],
  ['SMS_HTTP_HEADERS', '{"Transfer-Encoding":"chunked"}'],
  ['SMS_HTTP_BODY', '{"text":"keyword {text}"}'],
  ['SMS_HTTP_BODY', '{"to":"{to}","text":keyword {text}}'],
  ['SMS_HTTP_SUCCESS', '.a'],
  ['SMS_HTTP_ID', 'a b'],
  ['SMS_HTTP_COUNTRIES', '33'],
  ['ORANGE_PER_SECOND', '0'],
  ['INFOBIP_PER_SECOND', 'cinq'],
  ['TWILIO_PER_SECOND', '-1'],
  ['SMS_HTTP_PER_SECOND', '1001'],
])('%s=%s is refused, and no key is repeated', (name, value) => {
  const sentence = refusalOf({ ...all, SMS_PROVIDER: 'http', [name]: value });
  expect(sentence).toContain(name);
  for (const secret of ['keyword', 'with a space', 'too-short']) expect(sentence).not.toContain(secret);
});
