import { describe, expect, test } from 'vitest';
import { hashPassword } from '#server/features/users/password.ts';
import { countSessions, countSms, startSignUp } from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone, passwordCost } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

const signIn = (phoneOrEmail: unknown, password: unknown = knownPassword, client = api.client()) =>
  client.post('/api/auth/signin', { phoneOrEmail, password });

test('a verified person signs in by an e-mail address of several people, the password telling whose; beyond twenty they are told to use the number', async () => {
  const email = 'commun@example.bf';
  const sharers: { phone: string; secret: string }[] = [];
  for (let nth = 1; nth <= 22; nth += 1) {
    const secret = `secret-${nth}`;
    const { phone } = await buildUser(api.db, { email, password: await hashPassword(secret, passwordCost) });
    sharers.push({ phone, secret });
  }
  const [first, twentieth, other, last] = [0, 19, 20, 21].map((nth) => sharers[nth]);
  for (const one of [first, twentieth])
    expect((await signIn(email.toUpperCase(), one?.secret)).body.user.phone).toBe(one?.phone);
  const client = api.client();
  expect(await signIn(email, last?.secret, client)).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('connectez-vous avec votre numéro de téléphone') },
  });
  // A browser where that was done once knows them by the address, too.
  expect((await signIn(last?.phone, last?.secret, client)).status).toBe(200);
  expect((await signIn(email, last?.secret, client)).body.user.phone).toBe(last?.phone);
  expect((await signIn(email, other?.secret, client)).status).toBe(401);
});

test('a wrong password and an unknown name get the same answer, and no session', async () => {
  const { phone, id } = await buildUser(api.db, { email: 'connue@example.bf' });
  const unverified = await buildUser(api.db, { isVerified: false, email: 'jamais@example.bf' });
  const deactivated = await buildUser(api.db, { isVerified: false, deactivatedAt: new Date() });
  const guest = await api.client().post('/api/auth/guest');
  const { rows } = await api.pool.query('select phone from users where id = $1', [guest.body.user.id]);
  const names = [
    phone,
    'connue@example.bf',
    unverified.phone,
    deactivated.phone,
    nextPhone(),
    'inconnue@example.bf',
    'jamais@example.bf',
    'guest',
    rows[0].phone,
    '%',
    '@',
    `${'a'.repeat(99)}💳`,
  ];
  const answers = await Promise.all(names.map((name) => signIn(name, 'pas-le-bon')));
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ code: 'CREDENTIALS', message: 'Identifiants incorrects.' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  expect(await countSessions(api, id)).toBe(0);
  expect(await countSms(api, unverified.phone)).toBe(0);
});

describe('a number never verified', () => {
  test('gets 403 with the number and a fresh code, no session, and is in once the code is entered', async () => {
    const { phone, id } = await buildUser(api.db, { isVerified: false });
    const client = api.client();
    const answer = await signIn(phone, knownPassword, client);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      code: 'PHONE_NOT_VERIFIED',
      phone,
      message: 'Compte non vérifié. Un code vous a été envoyé.',
    });
    expect(client.cookies.has('guichet_session')).toBe(false);
    expect(await countSessions(api, id)).toBe(0);
    expect((await client.get('/api/auth/me')).status).toBe(401);

    const code = await api.readCode(phone);
    const verified = await client.post('/api/auth/verify-otp', { phone, code });
    expect(verified).toMatchObject({ status: 200, body: { user: { id, isVerified: true } } });
    expect((await signIn(phone)).status).toBe(200);
  });

  test('takes over the sign-up it began, and voids its earlier code', async () => {
    const phone = nextPhone();
    const { code: old } = await startSignUp(api, phone);
    const client = api.client();
    expect((await signIn(phone, 'secret1', client)).status).toBe(403);
    const fresh = await api.readCode(phone, 2);
    const { rows } = await api.pool.query('select is_used from otp_codes where phone = $1 order by id', [phone]);
    expect(rows).toEqual([{ is_used: true }, { is_used: false }]);
    expect(old).toMatch(/^\d{4}$/);
    expect((await client.post('/api/auth/verify-otp', { phone, code: fresh })).status).toBe(200);
  });
});

test('a deactivated person with the right password is told so, and gets neither session nor code', async () => {
  const { phone, id } = await buildUser(api.db, { isVerified: false, deactivatedAt: new Date() });
  const client = api.client();
  const answer = await signIn(phone, knownPassword, client);
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({ code: 'DEACTIVATED', message: 'Compte désactivé. Contactez le support.' });
  expect(client.cookies.size).toBe(0);
  expect(await countSessions(api, id)).toBe(0);
  expect(await countSms(api, phone)).toBe(0);
});
