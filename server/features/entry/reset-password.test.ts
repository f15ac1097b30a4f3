import { describe, expect, test } from 'vitest';
import {
  countSessions,
  countSms,
  otherThan,
  readUserRow,
  sha256,
  startReset,
  takeResetToken,
} from '#server/testing/auth-steps.ts';
import { buildAdmin, buildCaller, buildUser, knownPassword, signInAs } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

const forgot = (phoneOrEmail: unknown) => api.client().post('/api/auth/forgot-password', { phoneOrEmail });
const reset = (token: unknown, newPassword = 'nouveau-1', client = api.client()) =>
  client.post('/api/auth/reset-password', { newPassword, confirmPassword: newPassword, token });
const signIn = (phone: string, password: string) =>
  api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });
const tokenRefusal = { status: 400, body: { code: 'TOKEN_INVALID' } };

test('who lost the token that a code was exchanged for gets it again, by the same cookie, code and key, until it is used', async () => {
  const { user } = await buildCaller(api);
  const { client, code } = await startReset(api, user.phone);
  const cookies = [...client.cookies];
  const exchange = ({ key = 'k1', entered = code, known = cookies } = {}) => {
    const again = api.client();
    for (const [name, value] of known) again.cookies.set(name, value);
    const body = { phone: user.phone, code: entered };
    return again.post('/api/auth/verify-reset-otp', body, { 'idempotency-key': key });
  };
  const { body: first } = await exchange();
  expect(await exchange()).toMatchObject({ status: 200, body: first });
  const refused = { status: 400, body: { code: 'CODE_INVALID' } };
  for (const other of [{ key: 'k2' }, { entered: otherThan(code) }, { known: [] }])
    expect(await exchange(other)).toMatchObject(refused);
  expect((await reset(first.token)).status).toBe(200);
  expect(await exchange()).toMatchObject(refused);
});

test('a person gets a code, a token, a new password; every session ends and none begins', async () => {
  const { user, client: phoneAtHome } = await buildCaller(api);
  const phoneAtWork = await signInAs(api, user);
  const { client, code } = await startReset(api, user.phone);
  const exchanged = await client.post('/api/auth/verify-reset-otp', { phone: user.phone, code });
  expect(exchanged.status).toBe(200);
  expect(exchanged.body).toEqual({ token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) });
  const { rows } = await api.pool.query('select token from reset_tokens where user_id = $1', [user.id]);
  expect(rows).toEqual([{ token: sha256(exchanged.body.token) }]);
  expect((await phoneAtHome.get('/api/auth/me')).status).toBe(200);

  const answer = await reset(exchanged.body.token, 'nouveau-1', client);
  expect(answer).toMatchObject({ status: 200, body: { message: 'Mot de passe réinitialisé' } });
  expect(client.cookies.has('guichet_session')).toBe(false);
  for (const caller of [phoneAtHome, phoneAtWork, client]) expect((await caller.get('/api/auth/me')).status).toBe(401);
  expect((await phoneAtHome.get(`/api/tickets/user/${user.id}`)).status).toBe(401);
  expect(await countSessions(api, user.id)).toBe(0);
  expect((await signIn(user.phone, knownPassword)).status).toBe(401);
  expect((await signIn(user.phone, 'nouveau-1')).status).toBe(200);
});

describe('forgot-password sends nothing', () => {
  const unknown = {
    status: 404,
    body: { code: 'USER_NOT_FOUND', message: 'Utilisateur non trouvé ou numéro invalide.' },
  };

  test('to an unknown name, nor to a known e-mail address, nor tells its number', async () => {
    const { phone } = await buildUser(api.db, { email: 'moi@example.bf' });
    for (const typed of ['+22679999999', 'abc', 'guest:00000000-0000-4000-8000-000000000000', 'moi@example.bf']) {
      const answer = await forgot(typed);
      expect(answer).toMatchObject(unknown);
      expect(JSON.stringify(answer.body)).not.toContain(phone.slice(-4));
    }
    expect(await countSms(api, phone)).toBe(0);
  });

  test('to an administrator, a deactivated person or one never verified', async () => {
    const people = [
      (await buildAdmin(api)).user,
      await buildUser(api.db, { isVerified: false, deactivatedAt: new Date() }),
      await buildUser(api.db, { isVerified: false }),
    ];
    for (const { phone } of people) {
      expect(await forgot(phone)).toMatchObject(unknown);
      expect(await countSms(api, phone)).toBe(0);
      const { rows } = await api.pool.query('select 1 from otp_flows where phone = $1', [phone]);
      expect(rows).toEqual([]);
    }
  });
});

describe('a token', () => {
  test('used 20 times in parallel sets one password, and a later one replaces it', async () => {
    const { phone } = await buildUser(api.db);
    const early = await takeResetToken(api, phone);
    const { token } = await takeResetToken(api, phone);
    expect((await reset(early.token)).body.message).toBe('Le code de réinitialisation a expiré. Recommencez.');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => reset(token, `nouveau-${index}`)));
    const winners = answers.flatMap((answer, index) => (answer.status === 200 ? [index] : []));
    expect(winners).toHaveLength(1);
    for (const answer of answers.filter((each) => each.status !== 200)) expect(answer).toMatchObject(tokenRefusal);
    expect((await signIn(phone, `nouveau-${winners[0]}`)).status).toBe(200);
  });

  test('is dead after 10 minutes', async () => {
    const { phone, id } = await buildUser(api.db);
    const { token } = await takeResetToken(api, phone);
    const { rows } = await api.pool.query(
      `update reset_tokens set expires_at = expires_at - interval '10 minutes' where user_id = $1
       returning expires_at <= now() as over, expires_at > now() - interval '30 seconds' as just`,
      [id],
    );
    expect(rows).toEqual([{ over: true, just: true }]);
    expect(await reset(token)).toMatchObject(tokenRefusal);
    expect((await signIn(phone, knownPassword)).status).toBe(200);
  });

  test('that is made up, its own hash, a list or nothing does nothing to the account', async () => {
    const { phone } = await buildUser(api.db);
    const { token } = await takeResetToken(api, phone);
    for (const wrong of ['A'.repeat(43), '%', sha256(token)]) expect(await reset(wrong)).toMatchObject(tokenRefusal);
    for (const wrong of [[token], '', undefined]) expect((await reset(wrong)).body.code).toBe('INVALID');
    expect((await signIn(phone, knownPassword)).status).toBe(200);
  });

  test('or a code of somebody deactivated or made an administrator since then does nothing', async () => {
    const { client: admin } = await buildAdmin(api);
    const deactivated = await buildUser(api.db);
    const promoted = await buildUser(api.db);
    const tokens = [await takeResetToken(api, deactivated.phone), await takeResetToken(api, promoted.phone)];
    await admin.patch(`/api/admin/users/${deactivated.id}/deactivate`);
    const { client, code } = await startReset(api, promoted.phone);
    await api.pool.query('update users set is_admin = true where id = $1', [promoted.id]);
    const entered = await client.post('/api/auth/verify-reset-otp', { phone: promoted.phone, code });
    expect(entered).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } });
    for (const { token } of tokens) expect(await reset(token)).toMatchObject(tokenRefusal);
    expect((await readUserRow(api, promoted.phone))?.password).toBe(promoted.password);
    expect((await readUserRow(api, deactivated.phone))?.password).toBe(deactivated.password);
  });
});
