import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failureSentences } from '#contract/failure-sentences.ts';
import { hashPassword } from '#server/features/users/password.ts';
import { countSessions, startReset } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildUser, knownPassword, passwordCost } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';

let api: TestApi;
let admin: TestClient;
let adminId: number;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  await api.pool.query('update users set is_admin = false where is_admin');
  const caller = await buildAdmin(api);
  admin = caller.client;
  adminId = caller.user.id;
});
afterAll(() => api.close());

const guestPhone = () => `guest:${randomUUID()}`;
const set = (id: number | string, isAdmin: unknown, client = admin) =>
  client.patch(`/api/admin/users/${id}/administrator`, { isAdmin });
const listAdministrators = async (): Promise<number[]> => {
  const { rows } = await api.pool.query('select array_agg(id order by id) as ids from users where is_admin');
  return rows[0].ids;
};
/** How long the longest session of a user goes on, in hours. */
const hoursLeft = async (id: number): Promise<number> => {
  const { rows } = await api.pool.query(
    'select coalesce(extract(epoch from max(expire) - now()) / 3600, 0)::float8 as hours from sessions where user_id = $1',
    [id],
  );
  return rows[0].hours;
};

describe('making somebody an administrator', () => {
  test("ends their sessions and codes, and the next one is as short as an administrator's", async () => {
    const { user, client } = await buildCaller(api);
    const underway = await startReset(api, user.phone);
    expect(await set(user.id, true)).toMatchObject({ status: 200, body: { id: user.id, isAdmin: true } });
    expect((await client.get('/api/auth/me')).status).toBe(401);
    const late = { phone: user.phone, code: underway.code };
    expect((await underway.client.post('/api/auth/verify-reset-otp', late)).status).toBe(400);
    const again = api.client();
    await again.post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword });
    expect((await again.get('/api/admin/users')).status).toBe(200);
    expect(await hoursLeft(user.id)).toBeCloseTo(12, 1);
  });

  test("leaves no session of a user's length, also where they sign in at that moment", async () => {
    for (let round = 0; round < 8; round += 1) {
      const user = await buildUser(api.db);
      const credentials = { phoneOrEmail: user.phone, password: knownPassword };
      const signIns = Array.from({ length: 5 }, () => api.client().post('/api/auth/signin', credentials));
      await expect.poll(() => countSessions(api, user.id), { interval: 1 }).toBeGreaterThan(0);
      expect((await set(user.id, true)).status).toBe(200);
      await Promise.all(signIns);
      expect(await hoursLeft(user.id)).toBeLessThan(13);
    }
  });

  test.each([
    [
      'a guest',
      { phone: guestPhone(), isGuest: true, isVerified: false, password: null },
      failureSentences.guestNoAdministrator,
    ],
    ['somebody unverified', { isVerified: false }, failureSentences.unverifiedNoAdministrator],
    [
      'somebody deactivated',
      { isVerified: false, deactivatedAt: new Date() },
      failureSentences.deactivatedNoAdministrator,
    ],
  ])('%s is refused in French, and changes nothing', async (_, fields, message) => {
    const { id } = await buildUser(api.db, fields);
    expect(await set(id, true)).toMatchObject({ status: 403, body: { code: 'PROTECTED_USER', message } });
    expect(await listAdministrators()).toEqual([adminId]);
  });
});

describe('taking the role away', () => {
  test('ends their sessions; they stay a user', async () => {
    const { user, client } = await buildAdmin(api);
    expect(await set(user.id, false)).toMatchObject({ status: 200, body: { isAdmin: false, isVerified: true } });
    expect((await client.get('/api/auth/me')).status).toBe(401);
    expect(await listAdministrators()).toEqual([adminId]);
    expect(await admin.patch(`/api/admin/users/${user.id}/deactivate`)).toMatchObject({ status: 200 });
  });

  test('from each other in a ring of five at once leaves at least one, and blocks nobody', async () => {
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => buildAdmin(api)));
    await api.pool.query('update users set is_admin = false where id = $1', [adminId]);
    const answers = await Promise.all(
      five.map(({ client }, index) => set(five[(index + 1) % 5]?.user.id ?? 0, false, client)),
    );
    for (const { status } of answers) expect([200, 401, 403]).toContain(status);
    const left = await listAdministrators();
    expect(left).toHaveLength(5 - answers.filter(({ status }) => status === 200).length);
    expect(left.length).toBeGreaterThan(0);
  });

  test('from the last one is refused where the one who asks has just lost it', async () => {
    const other = await buildAdmin(api);
    // The transaction that takes the caller's role is open when their call comes.
    const client = await api.pool.connect();
    await client.query('begin');
    await client.query('update users set is_admin = false where id = $1', [adminId]);
    const call = set(other.user.id, false);
    try {
      await untilBlocked(api.pool, client);
    } finally {
      await client.query('commit');
      client.release();
    }
    expect(await call).toMatchObject({ status: 403, body: { code: 'LAST_ADMINISTRATOR' } });
    expect(await listAdministrators()).toEqual([other.user.id]);
  });
});

test.each([true, false])('the role %s that somebody has already changes and records nothing', async (isAdmin) => {
  const { user, client } = await buildCaller(api, { isAdmin });
  const before = await countRows(api, 'audit_log');
  expect(await set(user.id, isAdmin)).toMatchObject({ status: 200, body: { id: user.id, isAdmin } });
  expect(await countRows(api, 'audit_log')).toBe(before);
  expect((await client.get('/api/auth/me')).status).toBe(200);
  expect(await countSessions(api, user.id)).toBe(1);
});

test('each change is recorded with what was before', async () => {
  const { id } = await buildUser(api.db);
  await set(id, true);
  await set(id, false);
  const { rows } = await api.pool.query('select details from audit_log where target = $1 order by id', [String(id)]);
  expect(rows.map(({ details }) => details)).toEqual([
    { isAdmin: true, before: { isAdmin: false } },
    { isAdmin: false, before: { isAdmin: true } },
  ]);
});

test('somebody with a password that is guessed first becomes no administrator, nor does an administrator take one', async () => {
  const { id } = await buildUser(api.db, { password: await hashPassword('motdepasse', passwordCost) });
  expect(await set(id, true)).toMatchObject({
    status: 422,
    body: { code: 'PASSWORD_COMMON', message: expect.stringContaining('trop courant pour un administrateur') },
  });
  expect(await listAdministrators()).not.toContain(id);
  const { user, client } = await buildAdmin(api);
  const reset = (password: string) => client.patch(`/api/admin/users/${user.id}/reset-password`, { password });
  for (const password of ['123456', ' Azerty123 '])
    expect(await reset(password)).toMatchObject({ status: 422, body: { code: 'PASSWORD_COMMON' } });
  expect((await client.get('/api/auth/me')).status).toBe(200);
  expect((await reset('ni-courant-ni-court')).status).toBe(200);
});
