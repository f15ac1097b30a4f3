import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
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
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { createAdministrator, removeAdministrator } from './administrators.ts';

const api = await startTestApi();
const { client: admin, user: administrator } = await buildAdmin(api);

const guestPhone = () => `guest:${randomUUID()}`;
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

test.each(actions)('%s is refused on another administrator', async (action) => {
  const { user, client } = await buildAdmin(api);
  const before = await findRow(user.id);
  expect(await act(admin, action, user.id)).toMatchObject({ status: 403, body: { code: 'PROTECTED_USER' } });
  expect(await findRow(user.id)).toEqual(before);
  expect((await client.get('/api/auth/me')).status).toBe(200);
});

test.each(actions)('nobody can %s their own account', async (action) => {
  const before = await findRow(administrator.id);
  expect(await act(admin, action, administrator.id)).toMatchObject({ status: 403, body: { code: 'PROTECTED_USER' } });
  expect(await findRow(administrator.id)).toEqual(before);
});

/** A reset whose code was sent, beside one whose code was exchanged; answers the check that neither goes on. */
async function beginReset(phone: string): Promise<() => Promise<void>> {
  const { token } = await takeResetToken(api, phone);
  const { client, code } = await startReset(api, phone);
  return async () => {
    expect((await client.post('/api/auth/verify-reset-otp', { phone, code })).status).toBe(400);
    const stale = { newPassword: 'vieux-12', confirmPassword: 'vieux-12', token };
    expect((await api.client().post('/api/auth/reset-password', stale)).body.code).toBe('TOKEN_INVALID');
  };
}

test('a password set anew ends every session, code and token, and answers the user', async () => {
  const { user, client } = await buildCaller(api);
  const expectResetEnded = await beginReset(user.phone);
  const answer = await act(admin, 'reset-password', user.id);
  expect(answer).toMatchObject({ status: 200, body: { id: user.id, isVerified: true } });
  expect(JSON.stringify(answer.body)).not.toMatch(/choisi|argon2/);
  expect((await client.get('/api/auth/me')).status).toBe(401);
  expect(await countSessions(api, user.id)).toBe(0);
  expect((await signIn(user.phone)).status).toBe(401);
  expect((await signIn(user.phone, 'choisi-1')).status).toBe(200);
  await expectResetEnded();
});

test('deactivation ends the account at once: sessions, polls, codes and tokens', async () => {
  const { user, client } = await buildCaller(api);
  const polls = [`/api/tickets/user/${user.id}`, `/api/notifications/user/${user.id}/unread-count`];
  for (const path of polls) expect((await client.get(path)).status).toBe(200);
  const expectResetEnded = await beginReset(user.phone);

  const answer = await act(admin, 'deactivate', user.id);
  expect(answer).toMatchObject({ status: 200, body: { id: user.id, isVerified: false } });
  for (const path of [...polls, '/api/auth/me']) expect((await client.get(path)).status).toBe(401);
  expect(await countSessions(api, user.id)).toBe(0);
  expect(await signIn(user.phone)).toMatchObject({ status: 403, body: { code: 'DEACTIVATED' } });
  await expectResetEnded();
  const row = await findRow(user.id);
  expect(row).toMatchObject({ is_verified: false, password: user.password });
  expect(row.deactivated_at).toBeInstanceOf(Date);
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

  test('of a number never verified leaves no password that somebody signed up with: its owner chooses one by a code', async () => {
    const phone = nextPhone();
    const planted = await startSignUp(api, phone, { password: 'pirate-1', confirmPassword: 'pirate-1' });
    const { id } = (await readUserRow(api, phone)) as { id: number };
    expect((await act(admin, 'activate', id)).status).toBe(200);
    expect(await findRow(id)).toMatchObject({ is_verified: true, password: null });
    for (const password of ['pirate-1', 'secret1'])
      expect(await signIn(phone, password)).toMatchObject({ status: 401, body: { code: 'CREDENTIALS' } });
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
    expect((await signIn(phone, 'choisi-1')).body).toMatchObject({ user: { id } });
  });
});

test('deletion removes the person for good, and ends their sessions', async () => {
  const { user, client } = await buildCaller(api);
  await buildNotification(api.db, user.id);
  expect(await act(admin, 'delete', user.id)).toMatchObject({ status: 200, body: { id: user.id } });
  expect(await findRow(user.id)).toBeUndefined();
  for (const path of ['/api/auth/me', `/api/tickets/user/${user.id}`])
    expect((await client.get(path)).status).toBe(401);
  expect((await signIn(user.phone)).status).toBe(401);
  const { rows: left } = await api.pool.query('select 1 from notifications where user_id = $1', [user.id]);
  expect(left).toEqual([]);
  expect(await act(admin, 'delete', user.id)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
});

describe('one user', () => {
  test('is shown as in the list, with their tickets and those approved counted, and whether they are deactivated', async () => {
    const { id } = await buildUser(api.db);
    for (let count = 0; count < 3; count += 1) await buildTicket(api.db, id);
    const approved = await buildTicket(api.db, id);
    await admin.patch(`/api/tickets/${approved.id}/status`, { status: 'approved' });
    await buildTicket(api.db, administrator.id);
    const { body } = await admin.get(`/api/admin/users/${id}`);
    const listed = (await admin.get(`/api/admin/users?before=${id + 1}&limit=1`)).body[0];
    expect(body).toEqual({ ...listed, isDeactivated: false, tickets: 4, approvedTickets: 1 });
    await admin.patch(`/api/admin/users/${id}/deactivate`);
    expect((await admin.get(`/api/admin/users/${id}`)).body).toMatchObject({ isDeactivated: true, isVerified: false });
  });

  test('who is a guest has no number, and no password ever', async () => {
    const { id } = await buildUser(api.db, { phone: guestPhone(), isGuest: true, isVerified: false, password: null });
    const { body } = await admin.get(`/api/admin/users/${id}`);
    expect(body).toMatchObject({ phone: '', isGuest: true, tickets: 0, approvedTickets: 0 });
    expect(JSON.stringify(body)).not.toMatch(/guest:|argon2|password|search/i);
  });
});

describe('on the server', () => {
  const names = { firstName: 'Awa', lastName: 'Sawadogo' };

  test.each([
    ['nobody yet', undefined],
    ['a person', {}],
    ['somebody deactivated', { isVerified: false, deactivatedAt: new Date() }],
  ])('%s becomes an administrator, with a password of their own and no session of before', async (_, fields) => {
    const { user } = fields ? await buildCaller(api) : { user: undefined };
    if (user && fields && 'deactivatedAt' in fields) await admin.patch(`/api/admin/users/${user.id}/deactivate`);
    const phone = user?.phone ?? nextPhone();
    const key = `signInFailuresPerAccount:user-${user?.id}`;
    await api.pool.query('insert into rate_limits values ($1, 100, null)', [key]);
    const made = await createAdministrator(api.db, { phone, ...names });
    if (user) expect((await api.pool.query('select from rate_limits where key = $1', [key])).rowCount).toBe(0);
    expect(await countSessions(api, made?.user.id ?? 0)).toBe(0);
    expect((await signIn(phone)).status).toBe(401);
    expect(await signIn(phone, made?.password)).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
    expect(await createAdministrator(api.db, { phone, ...names })).toBeUndefined();
  });

  test('loses the role and the session, and stays a user; the last one keeps it, also of two at once', async () => {
    const { user, client } = await buildAdmin(api);
    expect(await removeAdministrator(api.db, [user.phone])).toMatchObject({ id: user.id, isAdmin: false });
    expect((await client.get('/api/auth/me')).status).toBe(401);
    expect(await removeAdministrator(api.db, [user.phone])).toBe('unknown');
    await api.pool.query('update users set is_admin = false where is_admin');
    const two = [(await buildAdmin(api)).user, (await buildAdmin(api)).user];
    const removed = await Promise.all(two.map(({ phone }) => removeAdministrator(api.db, [phone])));
    expect(removed.filter((each) => each === 'last')).toHaveLength(1);
    await api.pool.query('update users set is_admin = true where id = $1', [administrator.id]);
  });
});
