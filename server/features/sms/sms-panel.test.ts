import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { smsCapAtMost } from '#contract/sms.ts';
import { listAlarms } from '#server/features/alarms/store.ts';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
  admin = (await buildAdmin(api)).client;
});
beforeEach(() => api.pool.query('truncate sms_days, sms_settings, sms_messages, sms_gateways, alarms, rate_limits'));
afterAll(() => api.close());

const read = async () => (await admin.get('/api/admin/sms')).body;
const list = async () => (await admin.get('/api/admin/sms/deliveries')).body;
const save = (settings: object) => admin.put('/api/admin/sms/settings', settings);
const sendTest = (phone: unknown, client = admin) => client.post('/api/admin/sms/test', { phone });
const settings = { perDay: 200, perCountryAndDay: 50, onDecision: true };
const readEntry = async () =>
  (await api.pool.query('select action, details from audit_log order by id desc limit 1')).rows[0];

test('until anybody sets anything the caps are 500 and 100, and people get no SMS about decisions', async () => {
  expect(await read()).toEqual({
    gateways: [],
    today: {
      all: { queued: 0, cap: 500 },
      countries: ['+226', '+225', '+223', '+227', '+229', '+228', '+221'].map((countryCode) => ({
        countryCode,
        queued: 0,
        cap: 100,
      })),
    },
    settings: { perDay: 500, perCountryAndDay: 100, onDecision: false, updatedAt: null },
  });
});

test("today's messages are counted by country, and yesterday's are not", async () => {
  await api.pool.query(
    `insert into sms_days select (now() at time zone 'UTC')::date - ago, code, queued
     from (values (0, 'all', 7), (0, '226', 4), (0, '221', 2), (0, 'other', 1), (1, 'all', 90), (1, '225', 90)) as d (ago, code, queued)`,
  );
  const { today } = await read();
  expect(today.all.queued).toBe(7);
  expect(
    Object.fromEntries(
      today.countries.map((each: { countryCode: string; queued: number }) => [each.countryCode, each.queued]),
    ),
  ).toEqual({
    '+226': 4,
    '+225': 0,
    '+223': 0,
    '+227': 0,
    '+229': 0,
    '+228': 0,
    '+221': 2,
  });
});

test('gateways are shown in the order in which the settings name them, without those that are no longer set', async () => {
  await api.pool.query(
    `insert into sms_gateways (name, position, dial_codes, last_sent_at, last_failed_at, failure, failures_in_a_row, balance, balance_at, balance_failure)
     values ('infobip', 1, '226,225', null, null, null, 0, null, null, null), ('twilio', null, '226', null, null, null, 0, null, null, null),
            ('orange', 0, '226', '2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z', 'Jeton refusé.', 3, 412, '2026-11-21T09:30:00Z', 'réponse illisible')`,
  );
  expect((await read()).gateways).toEqual([
    {
      name: 'orange',
      dialCodes: ['226'],
      lastSentAt: '2026-11-21T08:00:00.000Z',
      lastFailedAt: '2026-11-21T09:00:00.000Z',
      failure: 'Jeton refusé.',
      failuresInARow: 3,
      balance: 412,
      balanceAt: '2026-11-21T09:30:00.000Z',
      balanceFailure: 'réponse illisible',
    },
    expect.objectContaining({
      name: 'infobip',
      dialCodes: ['226', '225'],
      lastSentAt: null,
      balance: null,
      balanceFailure: null,
    }),
  ]);
});

describe('the last messages', () => {
  test('are 50, newest first, with masked numbers and what became of each, and never their text', async () => {
    await api.pool.query(
      `insert into sms_messages (recipient, kind, status, provider, failure, delivery, drop_after)
       select '+226701234' || lpad((n % 100)::text, 2, '0'), 'code', 'sent', 'orange', null, null, now() from generate_series(1, 47) n`,
    );
    await api.pool.query(
      `insert into sms_messages (recipient, body, kind, status, provider, failure, delivery, delivered_at, drop_after) values
       ('+2250712345678', null, 'decision', 'sent', 'infobip', null, 'delivered', now(), now()),
       ('+2250712345679', null, 'code', 'sent', 'infobip', null, 'undelivered', null, now()),
       ('+2250712345670', null, 'code', 'failed', 'orange', 'Réponse illisible.', 'delivered', now(), now()),
       ('+22670123401', null, 'alarm', 'failed', 'orange', 'Numéro refusé.', null, null, now()),
       ('+22670123402', null, 'test', 'expired', null, null, null, null, now()),
       ('+22670123403', 'votre code est 0042', 'code', 'queued', null, null, null, null, now() + interval '1 day')`,
    );
    const rows = await list();
    expect(rows).toHaveLength(50);
    const told = rows
      .slice(0, 7)
      .map((row: Record<string, unknown>) => [row.recipient, row.kind, row.state, row.gateway, row.failure]);
    expect(told).toEqual([
      ['+226 XX XX XX 03', 'code', 'queued', null, null],
      ['+226 XX XX XX 02', 'test', 'expired', null, null],
      ['+226 XX XX XX 01', 'alarm', 'failed', 'orange', 'Numéro refusé.'],
      ['+225 XX XX XX XX 70', 'code', 'delivered', 'orange', 'Réponse illisible.'],
      ['+225 XX XX XX XX 79', 'code', 'undelivered', 'infobip', null],
      ['+225 XX XX XX XX 78', 'decision', 'delivered', 'infobip', null],
      ['+226 XX XX XX 47', 'code', 'sent', 'orange', null],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/0042|body|reference|701234/);
  });
});

describe('the settings', () => {
  test('are replaced as a whole, recorded with what they were, and not recorded where nothing changes', async () => {
    expect(await save(settings)).toMatchObject({ status: 200, body: settings });
    expect((await read()).settings).toEqual({ ...settings, updatedAt: expect.any(String) });
    expect(await readEntry()).toEqual({
      action: 'PUT /api/admin/sms/settings',
      details: { ...settings, before: { perDay: 500, perCountryAndDay: 100, onDecision: false } },
    });
    const entries = await countRows(api, 'audit_log');
    expect((await save(settings)).status).toBe(200);
    expect(await countRows(api, 'audit_log')).toBe(entries);
  });

  test('hold from then on: a cap stops what is over it, and lets go what is under it', async () => {
    const signUp = async () => (await api.client().post('/api/auth/signup', signUpBody(nextPhone()))).status;
    await save({ ...settings, perCountryAndDay: 1 });
    expect(await signUp()).toBe(201);
    expect(await signUp()).toBe(503);
    expect((await listAlarms(api.db)).map(({ key }) => key)).toEqual(['sms-cap:226']);
    await save({ ...settings, perCountryAndDay: 3 });
    expect(await listAlarms(api.db)).toEqual([]);
    expect(await signUp()).toBe(201);
    await save({ ...settings, perDay: 2, perCountryAndDay: 3 });
    expect((await listAlarms(api.db)).map(({ key, level }) => `${key} ${level}`)).toEqual([
      'sms-cap:all critical',
      'sms-cap:226 warning',
    ]);
    await save({ ...settings, perDay: 0 });
    expect(await signUp()).toBe(503);
  });

  test('at once by many leave one of them whole', async () => {
    const many = Array.from({ length: 4 }, (_, n) => ({
      perDay: n * 10,
      perCountryAndDay: n,
      onDecision: n % 2 === 0,
    }));
    const answers = await Promise.all(many.map(save));
    expect(answers.map(({ status }) => status)).toEqual(many.map(() => 200));
    const { updatedAt: _, ...left } = (await read()).settings;
    expect(many).toContainEqual(left);
  });

  test.each([
    { ...settings, perDay: -1 },
    { ...settings, perDay: 1.5 },
    { ...settings, perCountryAndDay: smsCapAtMost + 1 },
    { ...settings, perDay: '200' },
    { ...settings, onDecision: 'true' },
    { perDay: 1 },
  ])('of %j are a mistake of the caller', async (body) => {
    expect(await save(body)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect((await read()).settings.perDay).toBe(500);
  });
});

describe('a test message', () => {
  test('is sent to the number, counted and recorded with its last digits', async () => {
    const phone = nextPhone();
    expect(await sendTest(phone.slice(4))).toMatchObject({ status: 200, body: { message: "SMS d'essai en route" } });
    await api.runJobs();
    expect(api.sentSms().at(-1)).toMatchObject({ to: phone, text: expect.stringContaining('essai') });
    expect((await read()).today.all.queued).toBe(1);
    expect(await list()).toEqual([expect.objectContaining({ kind: 'test' })]);
    const entry = await readEntry();
    expect(entry).toMatchObject({
      action: 'POST /api/admin/sms/test',
      details: { number: expect.stringMatching(/^\+226 XX/) },
    });
    expect(JSON.stringify(entry)).not.toContain(phone.slice(4));
  });

  test('goes also beyond the caps, ten times an hour for each administrator', async () => {
    await save({ perDay: 0, perCountryAndDay: 0, onDecision: false });
    for (let sent = 0; sent < 10; sent += 1) expect((await sendTest(nextPhone())).status).toBe(200);
    const refused = await sendTest(nextPhone());
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(await countRows(api, 'sms_messages')).toBe(10);
    expect((await sendTest(nextPhone(), (await buildAdmin(api)).client)).status).toBe(200);
  });

  test('raises no alarm where limits are off', async () => {
    const unlimited = await startTestApi({ on: { database: `${api.config.database}` } });
    try {
      const client = unlimited.client();
      for (const [name, value] of admin.cookies) client.cookies.set(name, value);
      await save({ perDay: 1, perCountryAndDay: 1, onDecision: false });
      expect((await sendTest(nextPhone(), client)).status).toBe(200);
      expect(await listAlarms(api.db)).toEqual([]);
    } finally {
      await unlimited.close();
    }
  });

  test.each(['+33612345678', '12', 'abc'])('to %s is refused', async (phone) => {
    expect(await sendTest(phone)).toMatchObject({ status: 400, body: { code: 'PHONE_INVALID' } });
    expect(await countRows(api, 'sms_messages')).toBe(0);
  });

  test.each(['', undefined, 7])('to %j is a mistake of the caller', async (phone) => {
    expect(await sendTest(phone)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  });
});

test("all of it is the administrators' own", async () => {
  const { client } = await buildCaller(api);
  const calls = [client.get('/api/admin/sms'), client.get('/api/admin/sms/deliveries')];
  const writes = [client.put('/api/admin/sms/settings', settings), sendTest(nextPhone(), client)];
  for (const answer of await Promise.all([...calls, ...writes]))
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(await countRows(api, 'sms_messages')).toBe(0);
});
