import { expect, test } from 'vitest';
import { countSms, readUserRow, signUpBody, startSignUp } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildUser, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

const signUp = (body: object) => api.client().post('/api/auth/signup', body);

test('a person signs up, enters the code and is in', async () => {
  const client = api.client();
  const signedUp = await client.post('/api/auth/signup', signUpBody('70 12 34 56', { email: '' }));
  expect(signedUp).toMatchObject({ status: 201, body: { user: { phone: '+22670123456', isVerified: false } } });
  expect(signedUp.body.user).toMatchObject({ email: null, isAdmin: false, isGuest: false, countryCode: '+226' });
  expect(JSON.stringify(signedUp.body)).not.toMatch(/argon2|password/);
  expect(await client.get('/api/auth/me')).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });

  const code = await api.readCode('+22670123456');
  const verified = await client.post('/api/auth/verify-otp', { phone: '+22670123456', code });
  expect(verified).toMatchObject({ status: 200, body: { user: { isVerified: true } } });
  expect(await client.get('/api/auth/me')).toMatchObject({ status: 200, body: { user: { firstName: 'Awa' } } });
});

test('neither the password nor the code is stored in clear', async () => {
  const phone = nextPhone();
  const { code } = await startSignUp(api, phone);
  // Nor does the account have one that no code proved.
  expect((await readUserRow(api, phone))?.password).toBeNull();
  const { rows } = await api.pool.query(
    `select c.code, f.claim::text from otp_codes c join otp_flows f on f.id = c.flow_id where c.phone = $1`,
    [phone],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].code).toMatch(/^[0-9a-f]{64}$/);
  expect(rows[0].claim).toMatch(/"\$argon2id\$v=19\$m=/);
  expect(rows[0].claim).not.toContain('secret1');
  expect(rows[0].claim).not.toContain(code);
});

test('a name is kept composed and trimmed, and no letter of it is another', async () => {
  const phone = nextPhone();
  const names = { firstName: ' \u202aAi\u0308cha\u202c\u00a0', lastName: 'N’Guessan\u2011Koné\u200b' };
  expect((await signUp(signUpBody(phone, { ...names, email: '\u202aawa@example.bf\u202c ' }))).status).toBe(201);
  expect(await readUserRow(api, phone)).toMatchObject({
    first_name: 'Aïcha',
    last_name: 'N’Guessan\u2011Koné',
    email: 'awa@example.bf',
  });
  const invisible = await signUp(signUpBody(nextPhone(), { firstName: '\u202a\u200b\u202c' }));
  expect(invisible).toMatchObject({ status: 400, body: { issues: [{ path: 'firstName' }] } });
});

test('rights, states and ids in the body are nothing', async () => {
  const phone = nextPhone();
  const rights = { isAdmin: true, isVerified: true, isGuest: true, id: 99_999, deactivatedAt: '2020-01-01' };
  const { client, code } = await startSignUp(api, phone, { ...rights, createdAt: '2001-01-01T00:00:00Z' });
  const untouched = { is_admin: false, is_guest: false, deactivated_at: null };
  const row = await readUserRow(api, phone);
  expect(row).toMatchObject({ ...untouched, is_verified: false });
  expect(row?.id).not.toBe(99_999);
  expect(await countRows(api, 'users', `phone = '${phone}' and created_at > now() - interval '1 minute'`)).toBe(1);
  await client.post('/api/auth/verify-otp', { phone, code, isAdmin: true });
  expect(await readUserRow(api, phone)).toMatchObject({ ...untouched, is_verified: true });
});

test('a number never verified may sign up again, and the last proven sign-up counts', async () => {
  const phone = nextPhone();
  await startSignUp(api, phone, { firstName: 'Ancien', email: 'ancien@example.bf' });
  const { client, code } = await startSignUp(api, phone, {
    firstName: 'Nouvelle',
    lastName: 'Kaboré',
    email: 'nouvelle@example.bf',
    password: 'autre-mot',
    confirmPassword: 'autre-mot',
  });
  expect(await countRows(api, 'users', `phone = '${phone}'`)).toBe(1);
  expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(200);
  const stored = { first_name: 'Nouvelle', last_name: 'Kaboré', email: 'nouvelle@example.bf', is_verified: true };
  expect(await readUserRow(api, phone)).toMatchObject(stored);
  const signIn = (password: string) => api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });
  expect((await signIn('secret1')).status).toBe(401);
  expect((await signIn('autre-mot')).status).toBe(200);
  expect(await countRows(api, 'otp_flows', `phone = '${phone}' and closed_at is null`)).toBe(0);
});

test('ten parallel sign-ups of one number make one account', async () => {
  const phone = nextPhone();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      signUp(signUpBody(phone, { password: `secret-${index}`, confirmPassword: `secret-${index}` })),
    ),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 201));
  expect(await countRows(api, 'users', `phone = '${phone}'`)).toBe(1);
});

test("a verified, a deactivated and an administrator's number are taken, and their rows stay as they are", async () => {
  const owners = [
    await buildUser(api.db),
    await buildUser(api.db, { isVerified: false, deactivatedAt: new Date() }),
    (await buildAdmin(api)).user,
  ];
  for (const { phone } of owners) {
    const before = await readUserRow(api, phone);
    const answer = await signUp(signUpBody(phone, { firstName: 'Voleur' }));
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'PHONE_TAKEN', message: 'Ce numéro est déjà utilisé.' },
    });
    expect(await readUserRow(api, phone)).toEqual(before);
    expect(await countSms(api, phone)).toBe(0);
    expect(await countRows(api, 'otp_flows', `phone = '${phone}'`)).toBe(0);
  }
});
