import { beforeEach, describe, expect, test } from 'vitest';
import { countSessions, startReset, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildCaller, knownPassword, signInAs } from '#server/testing/builders.ts';
import { expectPause, letPass, signIn } from '#server/testing/sign-in-steps.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on' });
beforeEach(() => api.pool.query('truncate rate_limits'));

const change = (client: TestClient, newPassword = 'nouveau-1', currentPassword = knownPassword) =>
  client.post('/api/auth/change-password', { currentPassword, newPassword, confirmPassword: newPassword });
const wrong = (path: string) => ({
  status: 403,
  body: {
    code: 'PASSWORD_WRONG',
    message: 'Mot de passe actuel incorrect.',
    issues: [{ path, message: 'Mot de passe actuel incorrect.' }],
  },
});
const entriesOf = async (actorId: number) =>
  (await api.pool.query('select action, details from audit_log where actor_id = $1 order by id', [actorId])).rows;

describe("one's own password", () => {
  test.each([
    ['a person', {}],
    ['an administrator', { isAdmin: true }],
  ])('of %s is changed: the new one lets in, the old one does not', async (_, fields) => {
    const { client, user } = await buildCaller(api, fields);
    const before = client.cookies.get('guichet_session');
    expect(await change(client)).toMatchObject({ status: 200, body: { message: 'Mot de passe modifié' } });
    expect(client.cookies.get('guichet_session')).not.toBe(before);
    expect((await client.get('/api/auth/me')).body.user.id).toBe(user.id);
    expect((await signIn(api.client(), user.phone, knownPassword)).status).toBe(401);
    expect((await signIn(api.client(), user.phone, 'nouveau-1')).status).toBe(200);
    expect((await entriesOf(user.id))[0]).toEqual({ action: 'POST /api/auth/change-password', details: {} });
  });

  test('ends every other session, reset and token, and this session goes on under another id alone', async () => {
    const { client, user } = await buildCaller(api);
    const others = [await signInAs(api, user), await signInAs(api, user)];
    const old = api.client();
    for (const [name, value] of client.cookies) old.cookies.set(name, value);
    const { client: stranger, token } = await takeResetToken(api, user.phone);
    await api.pool.query("update otp_codes set created_at = created_at - interval '1 h'");
    const reset = await startReset(api, user.phone);
    expect((await change(client)).status).toBe(200);
    for (const each of [...others, old]) expect((await each.get('/api/auth/me')).status).toBe(401);
    expect(await countSessions(api, user.id)).toBe(1);
    const form = { token, newPassword: 'intrus-12', confirmPassword: 'intrus-12' };
    expect((await stranger.post('/api/auth/reset-password', form)).body.code).toBe('TOKEN_INVALID');
    const { phone } = user;
    const entered = await reset.client.post('/api/auth/verify-reset-otp', { phone, code: reset.code });
    expect(entered.body.code).toBe('CODE_INVALID');
  });

  test('is asked for: a wrong one is told at its field, is counted as a failed sign-in is, and changes nothing', async () => {
    const { client, user } = await buildCaller(api);
    expect(await change(client, 'nouveau-1', 'pas-le-bon')).toMatchObject(wrong('currentPassword'));
    for (let tries = 0; tries < 4; tries += 1)
      expect((await change(client, 'nouveau-1', 'pas-le-bon')).status).toBe(403);
    await expectPause(change(client));
    // Whoever found the session open, from wherever, tries no more; the owner signs in elsewhere.
    await expectPause(change(await signInAs(api, user)));
    expect((await signIn(api.client(), user.phone, knownPassword)).status).toBe(200);
    await letPass(api);
    expect((await change(client)).status).toBe(200);
  });

  test.each([
    [
      'two that differ',
      { newPassword: 'nouveau-1', confirmPassword: 'nouveau-2' },
      'confirmPassword',
      "Passwords don't match",
    ],
    [
      'none of now',
      { currentPassword: '', newPassword: 'nouveau-1', confirmPassword: 'nouveau-1' },
      'currentPassword',
      'Password is required',
    ],
  ])("%s is refused with the contract's message", async (_, fields, path, message) => {
    const { client } = await buildCaller(api);
    const answer = await client.post('/api/auth/change-password', { currentPassword: knownPassword, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(answer.body.issues).toContainEqual({ path, message });
  });
});
