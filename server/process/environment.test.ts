import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '#server/testing/refusal-of.ts';
import { isPublic, readEnvironment, secrets, settings } from './environment.ts';
import { smsSettings } from './sms-settings.ts';

test('every setting is read', () => {
  const given = {
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://guichet.example',
    DATABASE_URL: 'postgres://user:secret@db:5432/guichet',
    DATA_DIR: '/srv/guichet',
    SESSION_SECRET: 'x'.repeat(32),
    ADMIN_PHONE: '+225 07 01 02 03 04',
    ADMIN_PASSWORD: 'secret-1',
    SMS_PROVIDER: 'file',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
    METRICS_PORT: '9464',
    METRICS_HOST: '10.0.0.1',
    STOP_DELAY_SECONDS: '15',
    ALARM_WEBHOOK: 'https://hooks.example/guichet',
    ALARM_WEBHOOK_SECRET: 'x'.repeat(16),
    NODE_ENV: 'test',
    BACKUP_DIR: 'backups',
    BACKUP_HOUR: '23',
    BACKUP_KEEP: '1',
    BACKUP_PASSPHRASE: 'x'.repeat(16),
  };
  expect(Object.keys({ ...given, ...smsSettings }).toSorted()).toEqual(Object.keys(settings.shape).toSorted());
  expect(readEnvironment(given)).toMatchObject({
    ...given,
    PORT: 8080,
    ADMIN_PHONE: '+2250701020304',
    TRUST_PROXY: ['10.0.0.0/8', '::1'],
    METRICS_PORT: 9464,
    STOP_DELAY_SECONDS: 15,
    BACKUP_DIR: path.resolve('backups'),
    BACKUP_HOUR: 23,
    BACKUP_KEEP: 1,
  });
  expect(readEnvironment({ SMS_FILE: '/tmp/elsewhere.jsonl' }).SMS_FILE).toBe('/tmp/elsewhere.jsonl');
  for (const url of ['postgresql://db/guichet', 'postgres://u:p,w@db-1:5432/guichet?sslmode=require'])
    expect(readEnvironment({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
});

describe('a setting that cannot be read stops the start with one sentence that names it', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'ftp://guichet.example'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://guichet.example/boutique'],
    ['PUBLIC_URL', 'https://guichet.example/?a'],
    ['PUBLIC_URL', 'https://moi:secret@guichet.example'],
    ['DATABASE_URL', 'mysql://db/guichet'],
    ['DATABASE_URL', 'postgres://db-1:5432,db-2:5432/guichet'],
    ['SESSION_SECRET', 'too short'],
    ['ADMIN_PHONE', '70 00 00 00'],
    ['ADMIN_PHONE', '+33612345678'],
    ['ADMIN_PHONE', '+22620304050'],
    ['ADMIN_PASSWORD', 'abc12'],
    ['ADMIN_PASSWORD', 'Motdepasse'],
    ['SMS_PROVIDER', 'pigeon'],
    ['BACKUP_HOUR', '24'],
    ['BACKUP_KEEP', '0'],
    ['BACKUP_PASSPHRASE', 'trop courte'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.1,,'],
    ['RATE_LIMITS', 'no'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', '99999'],
    ['ALARM_WEBHOOK', 'http://hooks.example/guichet'],
    ['ALARM_WEBHOOK', 'http://localhost.example/guichet'],
    ['ALARM_WEBHOOK', 'https://moi:motdepasse@hooks.example/guichet'],
    ['ALARM_WEBHOOK_SECRET', 'short'],
    ['STOP_DELAY_SECONDS', '1.5'],
    ['STOP_DELAY_SECONDS', '999'],
  ])('%s=%s', (name, value) => {
    const sentence = refusalOf({ [name]: value });
    expect(sentence).toContain(name);
    expect(sentence).toMatch(/\.$/);
    expect(sentence).not.toContain('\n');
  });

  /** What each secret refuses, with a word in it that no message may repeat; a new secret fails here until it has a row. */
  const refused: Record<string, NodeJS.ProcessEnv> = {
    SESSION_SECRET: { SESSION_SECRET: 'motdepasse' },
    ADMIN_PASSWORD: { ADMIN_PASSWORD: 'motdepasse'.repeat(20) },
    BACKUP_PASSPHRASE: { BACKUP_PASSPHRASE: 'motdepasse' },
    DATABASE_URL: { DATABASE_URL: 'mysql://guichet:motdepasse@db/guichet' },
    ALARM_WEBHOOK: { ALARM_WEBHOOK: 'http://hooks.example/motdepasse' },
    ALARM_WEBHOOK_SECRET: { ALARM_WEBHOOK_SECRET: 'motdepasse' },
    SMS_HTTP_BODY: { SMS_HTTP_BODY: 'motdepasse {key}' },
  };
  test.each(secrets)('%s is named without its value, which is a secret', (name) => {
    const sentence = refusalOf(refused[name] ?? { [name]: 'motdepasse\n' });
    expect(sentence).toContain(name);
    expect(sentence).not.toContain('motdepass');
  });
});

test.each([
  [undefined, false],
  ['http://localhost:3000', false],
  ['http://127.0.0.1', false],
  ['http://[::1]:3000', false],
  ['https://guichet.example', true],
  ['http://shop.localhost:3000', true],
  ['http://192.168.1.5:3000', true],
])('a shop at %s is public: %s', (PUBLIC_URL, expected) => {
  expect(isPublic({ PUBLIC_URL })).toBe(expected);
});

test('of PUBLIC_URL a path is named as what is wrong, and a slash at the end is none', () => {
  expect(refusalOf({ PUBLIC_URL: 'https://guichet.example/boutique' })).toContain('sans chemin');
  expect(readEnvironment({ PUBLIC_URL: 'https://guichet.example/' }).PUBLIC_URL).toBe('https://guichet.example');
});

test('RATE_LIMITS=off is refused in production', () => {
  const sentence = refusalOf({ RATE_LIMITS: 'off', NODE_ENV: 'production' });
  expect(sentence).toContain('RATE_LIMITS');
  expect(sentence).toContain('NODE_ENV');
});
