import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '#server/database/connect.ts';
import { createAdministrator } from '#server/features/accounts/administrators.ts';
import { takeResetToken } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildTicket } from '#server/testing/builders.ts';
import { makeBrowser, startPushService } from '#server/testing/push-service.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { pushLimits } from './limits.ts';
import { pushServices } from './services.ts';
import { requirePushKeys, saveSubscription } from './store.ts';

const service = await startPushService();
afterAll(service.close);
const api = await startTestApi({ pushServices: [...pushServices, service.origin] });
const { client: admin } = await buildAdmin(api);

const save = (client: TestClient, browser: { form: object }) => client.post('/api/push/subscriptions', browser.form);
const endpointsOf = async (userId: number) =>
  (await api.pool.query('select endpoint from push_subscriptions where user_id = $1 order by id', [userId])).rows.map(
    (row) => row.endpoint as string,
  );

test('processes that ask for the keys at once, before there are any, get the same', async () => {
  const { host, port, user, password, database } = api.pool.options;
  const others = [1, 2, 3].map(() => connect({ host, port, user, password, database } as never, () => {}));
  try {
    const made = await Promise.all([api, ...others].flatMap(({ db }) => [requirePushKeys(db), requirePushKeys(db)]));
    expect(new Set(made.map(({ privateKey }) => privateKey)).size).toBe(1);
    expect(await countRows(api, 'push_keys')).toBe(1);
    const { client } = await buildCaller(api);
    const { body } = await client.get('/api/push/key');
    expect(body).toEqual({ publicKey: made[0]?.publicKey });
    expect(Buffer.from(body.publicKey, 'base64url')).toHaveLength(65);
  } finally {
    for (const other of others) await other.close();
  }
});

describe('a browser', () => {
  test('that is saved again is there once, and belongs to whoever saved it last', async () => {
    const [awa, issa] = [await buildCaller(api), await buildCaller(api)];
    const browser = makeBrowser(service.origin);
    for (const client of [awa.client, awa.client]) expect(await save(client, browser)).toMatchObject({ status: 200 });
    expect(await endpointsOf(awa.user.id)).toEqual([browser.form.endpoint]);
    await save(issa.client, browser);
    expect([await endpointsOf(awa.user.id), await endpointsOf(issa.user.id)]).toEqual([[], [browser.form.endpoint]]);
  });

  test(`is one of ${pushLimits.perUser} at most, and the oldest goes`, async () => {
    const { client, user } = await buildCaller(api);
    const browsers = Array.from({ length: pushLimits.perUser + 2 }, () => makeBrowser(service.origin));
    for (const browser of browsers) await save(client, browser);
    expect(await endpointsOf(user.id)).toEqual(browsers.slice(2).map(({ form }) => form.endpoint));
  });

  test('is ended by its own person, again and again, and by nobody else', async () => {
    const [awa, issa] = [await buildCaller(api), await buildCaller(api)];
    const { form } = makeBrowser(service.origin);
    await save(awa.client, { form });
    const end = (client: TestClient) => client.send('DELETE', '/api/push/subscriptions', { endpoint: form.endpoint });
    expect(await end(issa.client)).toMatchObject({ status: 200 });
    expect(await endpointsOf(awa.user.id)).toEqual([form.endpoint]);
    for (const _ of [1, 2]) expect(await end(awa.client)).toMatchObject({ status: 200 });
    expect(await endpointsOf(awa.user.id)).toEqual([]);
  });
});

describe('refusals', () => {
  const host = 'fcm.googleapis.com';
  test.each([
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user:word@fcm.googleapis.com/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil-fcm.googleapis.com/x',
    'https://localhost/x',
    'https://169.254.169.254/latest/meta-data',
  ])("%s is nobody's push service", async (endpoint) => {
    const { client, user } = await buildCaller(api);
    const { form } = makeBrowser(`https://${host}`);
    expect(await client.post('/api/push/subscriptions', { ...form, endpoint })).toMatchObject({
      status: 422,
      body: { code: 'PUSH_SERVICE_UNKNOWN' },
    });
    expect(await endpointsOf(user.id)).toEqual([]);
  });
});

describe('whose access ends', () => {
  const ends: [string, (user: { id: number; phone: string }) => Promise<unknown>][] = [
    ['closed', ({ id }) => admin.patch(`/api/admin/users/${id}/deactivate`)],
    ['deleted', ({ id }) => admin.delete(`/api/admin/users/${id}`)],
    [
      "made an administrator's",
      async ({ phone }) => {
        await createAdministrator(api.db, { phone, firstName: 'Awa', lastName: 'Kaboré' });
        return { status: 200 };
      },
    ],
    [
      'given a new password by its person',
      async ({ phone }) => {
        const { token } = await takeResetToken(api, phone);
        const form = { token, newPassword: 'nouveau1', confirmPassword: 'nouveau1' };
        return api.client().post('/api/auth/reset-password', form);
      },
    ],
  ];
  test.each(ends)(
    'an account that is %s is told nothing any more, nor can be by a session of before',
    async (_, end) => {
      const { client, user } = await buildCaller(api);
      const [before, after] = [makeBrowser(service.origin), makeBrowser(service.origin)];
      await save(client, before);
      const ticket = await buildTicket(api.db, user.id);
      const { rows } = await api.pool.query('select sid from sessions where user_id = $1', [user.id]);
      expect(await end(user)).toMatchObject({ status: 200 });
      expect(await endpointsOf(user.id)).toEqual([]);
      // As a call that was let in just before.
      const { endpoint, keys } = after.form;
      const caller = { userId: user.id, sid: rows[0].sid as string };
      expect(await saveSubscription(api.db, caller, { endpoint, ...keys })).toBe(false);
      expect(await save(client, after)).toMatchObject({ status: 401 });
      await admin.patch(`/api/tickets/${ticket.id}/status`, { status: 'approved' });
      await api.runJobs();
      expect(service.receivedAt(before.path)).toEqual([]);
    },
  );
});
