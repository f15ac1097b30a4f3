import { expect, test } from 'vitest';
import { letPass, listTries, otherThan, readUserRow, signUpBody, startSignUp } from '#server/testing/auth-steps.ts';
import { nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

// A code belongs to the browser that asked for it: nobody plants a password on somebody else's number.

const api = await startTestApi();

const refusal = { status: 400, body: { code: 'CODE_INVALID' } };
const planted = { firstName: 'Pirate', password: 'pirate-1', confirmPassword: 'pirate-1' };

test("a sign-up by a stranger, before or after, never decides what the owner's code opens", async () => {
  for (const order of ['owner first', 'stranger first']) {
    const phone = nextPhone();
    const early = order === 'owner first' ? undefined : await startSignUp(api, phone, planted);
    const owner = await startSignUp(api, phone);
    const stranger = early ?? (await startSignUp(api, phone, planted));

    // Guesses of the one take no try of the other's.
    for (let tries = 0; tries < 4; tries += 1)
      await stranger.client.post('/api/auth/verify-otp', { phone, code: otherThan(stranger.code) });
    const theirs = stranger.code === owner.code ? otherThan(owner.code) : stranger.code;
    expect(await owner.client.post('/api/auth/verify-otp', { phone, code: theirs })).toMatchObject(refusal);
    const mine = owner.code === stranger.code ? otherThan(stranger.code) : owner.code;
    expect(await stranger.client.post('/api/auth/verify-otp', { phone, code: mine })).toMatchObject(refusal);

    const verified = await owner.client.post('/api/auth/verify-otp', { phone, code: owner.code });
    expect(verified).toMatchObject({ status: 200, body: { user: { firstName: 'Awa' } } });
    expect(await stranger.client.post('/api/auth/verify-otp', { phone, code: stranger.code })).toMatchObject(refusal);
    const signIn = (password: string) => api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });
    expect((await signIn('pirate-1')).status).toBe(401);
    expect((await signIn('secret1')).status).toBe(200);
  }
});

test('a caller without the cookie is served while exactly one flow is open, and refused with two', async () => {
  const phone = nextPhone();
  const first = await startSignUp(api, phone);
  const second = await startSignUp(api, phone, planted);
  const bare = api.client();
  for (const code of [first.code, second.code])
    expect(await bare.post('/api/auth/verify-otp', { phone, code })).toMatchObject(refusal);
  expect(await listTries(api, phone)).toEqual([0, 0]);
  expect((await bare.post('/api/auth/resend-otp', { phone })).status).toBe(404);

  await api.pool.query(
    `update otp_codes set expires_at = now() where flow_id =
       (select id from otp_flows where phone = $1 and claim->>'firstName' = 'Pirate')`,
    [phone],
  );
  const answer = await bare.post('/api/auth/verify-otp', { phone, code: first.code });
  expect(answer).toMatchObject({ status: 200, body: { user: { firstName: 'Awa' } } });
});

test('a forged or foreign cookie opens no flow', async () => {
  const phone = nextPhone();
  const owner = await startSignUp(api, phone);
  const stranger = await startSignUp(api, phone, planted);
  const [id] = (owner.client.cookies.get('guichet_signup') ?? '').split('.');
  const [, signature] = (stranger.client.cookies.get('guichet_signup') ?? '').split('.');
  const elsewhere = await startSignUp(api, nextPhone());
  const cookies = [
    `${id}.${signature}`,
    `${id}.${'A'.repeat(43)}`,
    'x'.repeat(5_000),
    elsewhere.client.cookies.get('guichet_signup') ?? '',
  ];
  for (const cookie of cookies) {
    const client = api.client();
    client.cookies.set('guichet_signup', cookie);
    expect(await client.post('/api/auth/verify-otp', { phone, code: owner.code })).toMatchObject(refusal);
  }
  expect(await listTries(api, phone)).toEqual([0, 0]);
  expect(await readUserRow(api, phone)).toMatchObject({ is_verified: false });
});

test("the flow's cookie is out of reach of scripts, tells nothing and lasts a day", async () => {
  const phone = nextPhone();
  const client = api.client();
  const answer = await client.post('/api/auth/signup', signUpBody(phone));
  const header = String(answer.headers['set-cookie']);
  expect(header).toMatch(/^guichet_signup=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
  await letPass(api, phone, 86_401);
  const code = await api.readCode(phone);
  expect(await client.post('/api/auth/verify-otp', { phone, code })).toMatchObject(refusal);
});

test('a browser that lost the answer to its right code is told to sign in, and no session is made', async () => {
  const phone = nextPhone();
  const { client, code } = await startSignUp(api, phone);
  const cookies = new Map(client.cookies);
  expect((await client.post('/api/auth/verify-otp', { phone, code })).status).toBe(200);
  // The answer never arrived: the cookies are still those of before it.
  const again = api.client();
  for (const [name, value] of cookies) again.cookies.set(name, value);
  for (const path of ['verify-otp', 'resend-otp'])
    expect(await again.post(`/api/auth/${path}`, { phone, code })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_VERIFIED', message: 'Ce numéro est déjà vérifié. Connectez-vous.' },
    });
  expect(again.cookies.has('guichet_session')).toBe(false);
});
