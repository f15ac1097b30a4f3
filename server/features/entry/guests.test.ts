import { expect, test } from 'vitest';
import { countSessions, startSignUp } from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

const findRow = async (id: number) => (await api.pool.query('select * from users where id = $1', [id])).rows[0];

async function enterAsGuest() {
  const client = api.client();
  const answer = await client.post('/api/auth/guest');
  expect(answer.status).toBe(200);
  return { client, user: answer.body.user, cookie: client.cookies.get('guichet_session') };
}

test('somebody signed out enters as a guest, with no number shown and none of a real person stored', async () => {
  const { client, user } = await enterAsGuest();
  const guest = { isGuest: true, isVerified: false, isAdmin: false, firstName: 'Invité', phone: '', email: null };
  expect(user).toMatchObject(guest);
  expect(await client.get('/api/auth/me')).toMatchObject({ status: 200, body: { user } });
  const row = await findRow(user.id);
  expect(row.phone).toMatch(/^guest:[0-9a-f-]{36}$/);
  expect(row.password).toBeNull();
});

test('a live guest session is the same guest again; another browser is another guest', async () => {
  const { client, user } = await enterAsGuest();
  expect((await client.post('/api/auth/guest')).body.user).toEqual(user);
  expect(await countSessions(api, user.id)).toBe(1);
  expect((await enterAsGuest()).user.id).not.toBe(user.id);
});

test('a guest who signs in leaves no row and no session, under a new id', async () => {
  const { client, user, cookie } = await enterAsGuest();
  const { phone, id } = await buildUser(api.db);
  expect((await client.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword })).status).toBe(200);
  expect(client.cookies.get('guichet_session')).not.toBe(cookie);
  expect(await findRow(user.id)).toBeUndefined();
  expect(await countSessions(api, user.id)).toBe(0);
  expect(await client.get('/api/auth/me')).toMatchObject({ body: { user: { id, isGuest: false } } });
  const stale = api.client();
  stale.cookies.set('guichet_session', cookie ?? '');
  expect((await stale.get('/api/auth/me')).status).toBe(401);
});

test('a guest who signs up stays a guest until the code is entered, and then leaves no row', async () => {
  const { client, user } = await enterAsGuest();
  const phone = nextPhone();
  const { code, client: other } = await startSignUp(api, phone);
  client.cookies.set('guichet_signup', other.cookies.get('guichet_signup') ?? '');
  expect(await client.get('/api/auth/me')).toMatchObject({ body: { user: { id: user.id } } });
  const verified = await client.post('/api/auth/verify-otp', { phone, code });
  expect(verified).toMatchObject({ status: 200, body: { user: { phone, isGuest: false } } });
  expect(await findRow(user.id)).toBeUndefined();
});

test('one address makes 120 guests an hour; a guest who is here already costs none', async () => {
  const limited = await startTestApi({ rateLimits: 'on' });
  const client = limited.client();
  await client.post('/api/auth/guest');
  await limited.pool.query("update rate_limits set points = 120 where key like 'guestsPerAddress%'");
  expect((await client.post('/api/auth/guest')).status).toBe(200);
  const refused = await limited.client().post('/api/auth/guest');
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
  const { rows } = await limited.pool.query('select 1 from users where is_guest');
  expect(rows).toHaveLength(1);
});
