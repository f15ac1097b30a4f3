import { describe, expect, test } from 'vitest';
import { refusalOf } from '#server/testing/refusal-of.ts';
import { readEnvironment } from './environment.ts';
import { planSms } from './sms-settings.ts';

const orange = { ORANGE_CLIENT_ID: 'client', ORANGE_CLIENT_SECRET: 'secret-of-orange' };
const http = { SMS_HTTP_URL: 'https://sms.example/send', SMS_HTTP_BODY: '{"to":"{to}","text":"{text}"}' };
const all = { ...orange, ...http };

describe('SMS_PROVIDER', () => {
  const planOf = (provider: string) => {
    const { names, byDialCode } = planSms(readEnvironment({ ...all, SMS_PROVIDER: provider }));
    return [names, byDialCode.get('226'), byDialCode.get('229'), byDialCode.get('227')];
  };
  test.each([
    ['console', [['console'], ['console'], ['console'], ['console']]],
    ['orange, http', [['orange', 'http'], ['orange', 'http'], ['http'], ['http']]],
    ['226=http,orange; 229=file ;*=orange,http', [['http', 'orange', 'file'], ['http', 'orange'], ['file'], ['http']]],
  ])('%s is tried, by country, in its order', (provider, expected) => {
    expect(planOf(provider)).toEqual(expected);
  });

  test.each([
    ['orange', 'Niger (+227)'],
    ['226=http;229=http', "Côte d'Ivoire (+225)"],
  ])('%s is refused at the start, and the country that it forgets is named: %s', (provider, country) => {
    const sentence = refusalOf({ ...all, SMS_PROVIDER: provider });
    expect(sentence).toContain('SMS_PROVIDER');
    expect(sentence).toContain(country);
  });

  test.each(['orange,pigeon', '33=http;*=http', '226=http;226=orange', '226=a=b'])(
    '%s is no list of gateways',
    (provider) => {
      expect(refusalOf({ ...all, SMS_PROVIDER: provider })).toContain('SMS_PROVIDER');
    },
  );
});

test.each([
  ['orange,http', 'ORANGE_CLIENT_SECRET'],
  ['orange,http', 'ORANGE_CLIENT_ID'],
  ['http', 'SMS_HTTP_URL'],
  ['http', 'SMS_HTTP_BODY'],
])('%s, but for one, says that %s is missing', (provider, name) => {
  const { [name]: left, ...others } = all as Record<string, string>;
  expect(left).toBeTruthy();
  expect(refusalOf({ ...others, SMS_PROVIDER: provider })).toContain(name);
});

test('what is set is read', () => {
  const read = readEnvironment({
    ...all,
    SMS_HTTP_HEADERS: '{"X-AUTH-TOKEN":"abc"}',
    SMS_HTTP_BASIC: 'name:pass:word',
    SMS_HTTP_SUCCESS: 'data.0.status=ok=1',
  });
  expect(read).toMatchObject({
    ORANGE_URL: 'https://api.orange.com',
    SMS_HTTP_METHOD: 'POST',
    SMS_HTTP_HEADERS: { 'X-AUTH-TOKEN': 'abc' },
    SMS_HTTP_BASIC: 'name:pass:word',
    SMS_HTTP_FROM: 'Guichet',
    SMS_HTTP_SUCCESS: { path: ['data', '0', 'status'], value: 'ok=1' },
  });
  expect(readEnvironment({ SMS_HTTP_SUCCESS: 'message_id' }).SMS_HTTP_SUCCESS).toEqual({
    path: ['message_id'],
    value: undefined,
  });
  const byAddress = { SMS_HTTP_METHOD: 'GET', SMS_HTTP_URL: 'https://sms.example/?to={toDigits}&text={text}' };
  expect(readEnvironment({ ...byAddress, SMS_PROVIDER: 'http' }).SMS_HTTP_URL).toBe(byAddress.SMS_HTTP_URL);
  expect(readEnvironment({ ORANGE_URL: 'http://127.0.0.1:4000/' }).ORANGE_URL).toBe('http://127.0.0.1:4000');
});

test.each([
  ['ORANGE_URL', 'http://api.orange.com'],
  ['ORANGE_CLIENT_SECRET', 'with a space'],
  ['ORANGE_SENDER_NAME', 'longer-than-eleven'],
  ['SMS_HTTP_METHOD', 'DELETE'],
  ['SMS_HTTP_METHOD', 'GET'],
  ['SMS_HTTP_BASIC', 'keyword'],
  ['SMS_HTTP_HEADERS', 'X-AUTH-TOKEN: keyword'],
  ['SMS_HTTP_HEADERS', '{"X-AUTH-TOKEN":"key\\nword"}'],
  ['SMS_HTTP_BODY', '{"text":"keyword {text}"}'],
  ['SMS_HTTP_BODY', '{"to":"{to}","text":"{text}","from":"{sender}"}'],
  ['SMS_HTTP_BODY', '{"to":"{to}","text":keyword {text}}'],
  ['SMS_HTTP_SUCCESS', '.a'],
])('%s=%s is refused, and no key is repeated', (name, value) => {
  const sentence = refusalOf({ ...all, SMS_PROVIDER: 'http', [name]: value });
  expect(sentence).toContain(name);
  for (const secret of ['keyword', 'with a space']) expect(sentence).not.toContain(secret);
});
