import { beforeEach, expect, test } from 'vitest';
import { startReset } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildUser, knownPassword } from '#server/testing/builders.ts';
import { expectPause, fail, signIn } from '#server/testing/sign-in-steps.ts';
import { startTestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on' });
beforeEach(() => api.pool.query('truncate rate_limits'));

const fresh = { newPassword: 'nouveau-1', confirmPassword: 'nouveau-1' };

/** Whether the account knows this browser: only then it waits for no stranger's failures. */
async function isKnown(client: TestClient, { phone, id }: { phone: string; id: number }, password = knownPassword) {
  await api.pool.query('truncate rate_limits');
  await fail(api.client(), phone, 5);
  // Answers a new cookie where it lets in, which the browser in question must not get.
  const copy = api.client();
  for (const [name, value] of client.cookies) if (name === 'guichet_device') copy.cookies.set(name, value);
  const { status } = await signIn(copy, phone, password);
  expect([200, 429], `a sign-in of ${id}`).toContain(status);
  return status === 200;
}

test("a browser that signed in to the account before waits for nobody's failures but its own", async () => {
  const { phone } = await buildUser(api.db);
  const own = api.client();
  await signIn(own, phone, knownPassword);
  await fail(api.client(), phone, 5);
  await expectPause(signIn(api.client(), phone, knownPassword));
  await fail(own, phone, 4);
  expect((await signIn(own, phone, knownPassword)).body).toMatchObject({ user: { phone } });
  await fail(own, phone, 5);
  await expectPause(signIn(own, phone, knownPassword));
});

test('the cookie counts for the accounts that signed in with it, and only as the server signed it', async () => {
  const mine = await buildUser(api.db);
  const other = await buildUser(api.db);
  const own = api.client();
  const { headers } = await signIn(own, mine.phone, knownPassword);
  expect(headers['set-cookie']).toContainEqual(
    expect.stringMatching(/^guichet_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
  );
  const cookie = own.cookies.get('guichet_device') ?? '';
  expect(cookie).toMatch(new RegExp(`^[\\w-]{22}\\.${mine.id}-[0-9a-f]{16}\\.[\\w-]{43}$`));
  expect(await isKnown(own, other)).toBe(false);
  const forged = api.client();
  for (const value of [cookie.replace(/\.\d+-/, `.${other.id}-`), `${cookie}x`])
    for (const user of [other, mine]) {
      forged.cookies.set('guichet_device', value);
      expect(await isKnown(forged, user)).toBe(false);
    }
  expect(await isKnown(own, mine)).toBe(true);
  await api.pool.query('truncate rate_limits');
  expect((await signIn(own, other.phone, knownPassword)).status).toBe(200);
  for (const user of [mine, other]) expect(await isKnown(own, user)).toBe(true);
});

test.each<[string, (browser: TestClient, phone: string) => Promise<TestResponse>]>([
  [
    'after a reset by SMS',
    async (browser, phone) => {
      const { code } = await startReset(api, phone, browser);
      const { body } = await browser.post('/api/auth/verify-reset-otp', { phone, code });
      return browser.post('/api/auth/reset-password', { ...fresh, token: body.token });
    },
  ],
  [
    'after it was changed',
    (browser) => browser.post('/api/auth/change-password', { ...fresh, currentPassword: knownPassword }),
  ],
])(
  'with another password, %s, the account knows no browser any more but the one where it was chosen',
  async (_, choose) => {
    const user = await buildUser(api.db);
    const [one, other] = [api.client(), api.client()];
    for (const client of [one, other]) await signIn(client, user.phone, knownPassword);
    expect(await isKnown(other, user)).toBe(true);
    expect((await choose(one, user.phone)).status).toBe(200);
    expect(await isKnown(other, user, fresh.newPassword)).toBe(false);
    expect(await isKnown(one, user, fresh.newPassword)).toBe(true);
  },
);

test('with a password that an administrator set, also the same one, the account knows no browser any more', async () => {
  const { client: admin } = await buildAdmin(api);
  const user = await buildUser(api.db);
  const own = api.client();
  await signIn(own, user.phone, knownPassword);
  await admin.patch(`/api/admin/users/${user.id}/reset-password`, { password: knownPassword });
  expect(await isKnown(own, user)).toBe(false);
});
