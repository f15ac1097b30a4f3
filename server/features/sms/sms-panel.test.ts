import { beforeEach, describe, expect, test } from 'vitest';
import { smsCapAtMost } from '#contract/sms.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on' });
const { client: admin } = await buildAdmin(api);
beforeEach(() => api.pool.query('truncate sms_settings, sms_messages, sms_gateways, rate_limits'));

const read = async () => (await admin.get('/api/admin/sms')).body;
const save = (settings: object) => admin.put('/api/admin/sms/settings', settings);
const sendTest = (phone: unknown, client = admin) => client.post('/api/admin/sms/test', { phone });
const settings = { perCountryAndDay: 50, onDecision: true };
const readEntry = async () =>
  (await api.pool.query('select action, details from audit_log order by id desc limit 1')).rows[0];

test("today's messages are counted by country: neither yesterday's, nor those that no gateway took", async () => {
  await api.pool.query(
    `insert into sms_messages (recipient, kind, status, drop_after, created_at)
     select code || '70123456', kind, status, now(),
       date_trunc('day', now(), 'UTC') - case when is_today then '0 s' else '1 s' end::interval
     from (values ('+226', 'code', 'sent', true), ('+226', 'test', 'queued', true), ('+226', 'code', 'failed', true),
       ('+226', 'code', 'expired', true), ('+226', 'code', 'sent', false), ('+221', 'decision', 'sent', true),
       ('+336', 'alarm', 'sent', true)) as m (code, kind, status, is_today)`,
  );
  const { today } = await read();
  const counts = today.countries.map((each: { countryCode: string; queued: number }) => [
    each.countryCode,
    each.queued,
  ]);
  expect(Object.fromEntries(counts)).toMatchObject({ '+226': 2, '+225': 0, '+221': 1 });
});

test('gateways are shown in the order of the settings, with their last error', async () => {
  await api.pool.query(
    `insert into sms_gateways (name, position, dial_codes, last_sent_at, last_failed_at, failure, failures_in_a_row)
     values ('http', 1, '226,225', null, null, null, 0),
            ('orange', 0, '226', '2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z', 'Jeton refusé.', 3)`,
  );
  const unused = { lastSentAt: null, lastFailedAt: null, failure: null, failuresInARow: 0 };
  expect((await read()).gateways).toEqual([
    {
      name: 'orange',
      dialCodes: ['226'],
      lastSentAt: '2026-11-21T08:00:00.000Z',
      lastFailedAt: '2026-11-21T09:00:00.000Z',
      failure: 'Jeton refusé.',
      failuresInARow: 3,
    },
    { name: 'http', dialCodes: ['226', '225'], ...unused },
  ]);
});

describe('the settings', () => {
  test('are replaced as a whole, recorded with what they were, and not recorded where nothing changes', async () => {
    expect(await save(settings)).toMatchObject({ status: 200, body: settings });
    expect((await read()).settings).toEqual({ ...settings, updatedAt: expect.any(String) });
    expect(await readEntry()).toEqual({
      action: 'PUT /api/admin/sms/settings',
      details: { ...settings, before: { perCountryAndDay: 500, onDecision: false } },
    });
    const entries = await countRows(api, 'audit_log');
    expect((await save(settings)).status).toBe(200);
    expect(await countRows(api, 'audit_log')).toBe(entries);
  });

  test.each([
    { ...settings, perCountryAndDay: -1 },
    { ...settings, perCountryAndDay: smsCapAtMost + 1 },
    { onDecision: true },
  ])('of %j are a mistake of the caller', async (body) => {
    expect(await save(body)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect((await read()).settings.perCountryAndDay).toBe(500);
  });
});

test('a test message is sent to the number, counted and recorded with its last digits', async () => {
  const phone = nextPhone();
  expect(await sendTest(phone.slice(4))).toMatchObject({ status: 200, body: { message: "SMS d'essai en route" } });
  await api.runJobs();
  expect(api.sentSms().at(-1)).toMatchObject({ to: phone, text: expect.stringContaining('essai') });
  expect((await read()).today.countries[0].queued).toBe(1);
  const entry = await readEntry();
  expect(entry).toMatchObject({
    action: 'POST /api/admin/sms/test',
    details: { number: expect.stringMatching(/^\+226 XX/) },
  });
  expect(JSON.stringify(entry)).not.toContain(phone.slice(4));
});
