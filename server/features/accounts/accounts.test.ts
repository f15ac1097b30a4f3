import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countSessions, readUserRow, startReset, startSignUp, takeResetToken } from '#server/testing/auth-steps.ts';
import {
  buildAdmin,
  buildCaller,
  buildNotification,
  buildTicket,
  buildUser,
  knownPassword,
  nextPhone,
} from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
let adminId: number;
beforeAll(async () => {
  api = await startTestApi();
  const caller = await buildAdmin(api);
  admin = caller.client;
  adminId = caller.user.id;
});
afterAll(() => api.close());

const actions = ['reset-password', 'deactivate', 'activate', 'delete'] as const;
type Action = (typeof actions)[number];

function act(client: TestClient, action: Action, id: number | string) {
  if (action === 'delete') return client.delete(`/api/admin/users/${id}`);
  const body = action === 'reset-password' ? { password: 'choisi-1' } : undefined;
  return client.patch(`/api/admin/users/${id}/${action}`, body);
}

const findRow = async (id: number) => (await api.pool.query('select * from users where id = $1', [id])).rows[0];
const signIn = (phone: string, password = knownPassword) =>
  api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });

describe.each(actions)('%s is refused', (action) => {
  test('on another administrator', async () => {
    const { user, client } = await buildAdmin(api);
    const before = await findRow(user.id);
    expect(await act(admin, action, user.id)).toMatchObject({ status: 403, body: { code: 'PROTECTED_USER' } });
    expect(await findRow(user.id)).toEqual(before);
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });
});

test.each(['deactivate', 'activate', 'delete'] as const)('nobody can %s their own account', async (action) => {
  const before = await findRow(adminId);
  expect(await act(admin, action, adminId)).toMatchObject({ status: 403, body: { code: 'PROTECTED_USER' } });
  expect(await findRow(adminId)).toEqual(before);
});

describe('reset password', () => {
  test('sets it, ends every session, code and token, and answers the user', async () => {
    const { user, client } = await buildCaller(api);
    const { token } = await takeResetToken(api, user.phone);
    const underway = await startReset(api, user.phone);
    const answer = await act(admin, 'reset-password', user.id);
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, isVerified: true } });
    expect(JSON.stringify(answer.body)).not.toMatch(/choisi|argon2/);
    expect((await client.get('/api/auth/me')).status).toBe(401);
    expect(await countSessions(api, user.id)).toBe(0);
    expect((await signIn(user.phone)).status).toBe(401);
    expect((await signIn(user.phone, 'choisi-1')).status).toBe(200);
    const late = { phone: user.phone, code: underway.code };
    expect((await underway.client.post('/api/auth/verify-reset-otp', late)).status).toBe(400);
    const stale = { newPassword: 'vieux-12', confirmPassword: 'vieux-12', token };
    expect((await api.client().post('/api/auth/reset-password', stale)).body.code).toBe('TOKEN_INVALID');
  });
});

describe('deactivate', () => {
  test('ends the account at once: sessions, polls, codes and tokens', async () => {
    const { user, client } = await buildCaller(api);
    const polls = [`/api/tickets/user/${user.id}`, `/api/notifications/user/${user.id}/unread-count`];
    for (const path of polls) expect((await client.get(path)).status).toBe(200);
    const { token } = await takeResetToken(api, user.phone);
    const underway = await startReset(api, user.phone);

    const answer = await act(admin, 'deactivate', user.id);
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, isVerified: false } });
    for (const path of [...polls, '/api/auth/me']) expect((await client.get(path)).status).toBe(401);
    expect(await countSessions(api, user.id)).toBe(0);
    expect(await signIn(user.phone)).toMatchObject({ status: 403, body: { code: 'DEACTIVATED' } });
    const late = { phone: user.phone, code: underway.code };
    expect((await underway.client.post('/api/auth/verify-reset-otp', late)).status).toBe(400);
    const stale = { newPassword: 'vieux-12', confirmPassword: 'vieux-12', token };
    expect((await api.client().post('/api/auth/reset-password', stale)).body.code).toBe('TOKEN_INVALID');
    const row = await findRow(user.id);
    expect(row).toMatchObject({ is_verified: false, password: user.password });
    expect(row.deactivated_at).toBeInstanceOf(Date);
  });

  test('of a person who is entering their sign-up code keeps them out', async () => {
    const phone = nextPhone();
    const { client, code } = await startSignUp(api, phone);
    const { id } = (await readUserRow(api, phone)) as { id: number };
    expect((await act(admin, 'deactivate', id)).status).toBe(200);
    expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(400);
    // No code proved that password: it opens nothing, and tells nothing.
    expect(await signIn(phone, 'secret1')).toMatchObject({ status: 401, body: { code: 'CREDENTIALS' } });
  });
});

describe('activate', () => {
  test('opens a deactivated account, whose old sessions stay ended', async () => {
    const { user, client } = await buildCaller(api);
    await act(admin, 'deactivate', user.id);
    const answer = await act(admin, 'activate', user.id);
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, isVerified: true } });
    expect(await findRow(user.id)).toMatchObject({ is_verified: true, deactivated_at: null });
    expect((await client.get('/api/auth/me')).status).toBe(401);
    expect((await signIn(user.phone)).status).toBe(200);
  });

  test('verifies a person whose SMS never came', async () => {
    const { id, phone } = await buildUser(api.db, { isVerified: false });
    expect((await act(admin, 'activate', id)).status).toBe(200);
    expect((await signIn(phone)).status).toBe(200);
  });

  test('of a number never verified leaves no password that somebody signed up with: its owner chooses one by a code', async () => {
    const phone = nextPhone();
    const planted = await startSignUp(api, phone, { password: 'pirate-1', confirmPassword: 'pirate-1' });
    const { id } = (await readUserRow(api, phone)) as { id: number };
    expect((await act(admin, 'activate', id)).status).toBe(200);
    expect(await findRow(id)).toMatchObject({ is_verified: true, password: null });
    for (const password of ['pirate-1', 'secret1'])
      expect(await signIn(phone, password)).toMatchObject({ status: 403, body: { code: 'PASSWORD_UNSET', phone } });
    expect((await planted.client.post('/api/auth/verify-otp', { phone, code: planted.code })).status).toBe(400);
    const { client, token } = await takeResetToken(api, phone);
    const fresh = { newPassword: 'la-mienne', confirmPassword: 'la-mienne', token };
    expect((await client.post('/api/auth/reset-password', fresh)).status).toBe(200);
    expect((await signIn(phone, 'la-mienne')).status).toBe(200);
    expect((await signIn(phone, 'pirate-1')).status).toBe(401);
  });

  test('keeps the password of an account that was verified, and one that an administrator gave', async () => {
    const { id, phone } = await buildUser(api.db, { isVerified: false, password: null });
    await act(admin, 'reset-password', id);
    await act(admin, 'activate', id);
    expect((await signIn(phone, 'choisi-1')).status).toBe(200);
  });
});

describe('delete', () => {
  test('removes the person for good, keeps their tickets, and ends their sessions', async () => {
    const { user, client } = await buildCaller(api);
    const ticket = await buildTicket(api.db, user.id);
    await buildNotification(api.db, user.id);
    expect((await client.get(`/api/tickets/user/${user.id}`)).body).toHaveLength(1);

    expect(await act(admin, 'delete', user.id)).toMatchObject({ status: 200, body: { id: user.id } });
    expect(await findRow(user.id)).toBeUndefined();
    for (const path of ['/api/auth/me', `/api/tickets/user/${user.id}`])
      expect((await client.get(path)).status).toBe(401);
    expect((await signIn(user.phone)).status).toBe(401);
    const { rows } = await api.pool.query('select user_id, total_price, status from tickets where id = $1', [
      ticket.id,
    ]);
    expect(rows).toEqual([{ user_id: null, total_price: '1100', status: 'pending' }]);
    const { rows: left } = await api.pool.query('select 1 from notifications where user_id = $1', [user.id]);
    expect(left).toEqual([]);
    const listed = await admin.get('/api/admin/tickets');
    expect(listed.body.find((each: { id: number }) => each.id === ticket.id)).toMatchObject({
      user: null,
      userId: null,
    });
    expect(await act(admin, 'delete', user.id)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  });

  test('voids codes under way, and the number may sign up anew as somebody else', async () => {
    const { user } = await buildCaller(api);
    const underway = await startReset(api, user.phone);
    await act(admin, 'delete', user.id);
    const late = { phone: user.phone, code: underway.code };
    expect((await underway.client.post('/api/auth/verify-reset-otp', late)).status).toBe(400);
    const { client, code } = await startSignUp(api, user.phone, { firstName: 'Autre' });
    const verified = await client.post('/api/auth/verify-otp', { phone: user.phone, code });
    expect(verified).toMatchObject({ status: 200, body: { user: { firstName: 'Autre' } } });
    expect(verified.body.user.id).not.toBe(user.id);
    expect((await client.get(`/api/tickets/user/${verified.body.user.id}`)).body).toEqual([]);
  });
});
