import { describe, expect, test } from 'vitest';
import { countSessions, sha256, signUpBody, startReset } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildCaller, buildUser, knownPassword, nextPhone, signInAs } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi({ clock: '2026-11-26T12:00:00Z' });

const signIn = (client: TestClient, phone: string) =>
  client.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword });

/** Seconds the sessions of a user have left, by the database's clock. */
async function listSecondsLeft(userId: number): Promise<number[]> {
  const { rows } = await api.pool.query(
    'select extract(epoch from expire - now())::float8 as left from sessions where user_id = $1',
    [userId],
  );
  return rows.map((row: { left: number }) => row.left);
}

const setSecondsLeft = (userId: number, seconds: number) =>
  api.pool.query('update sessions set expire = now() + make_interval(secs => $2) where user_id = $1', [
    userId,
    seconds,
  ]);

const day = 86_400;

describe('the cookie', () => {
  test('is of 256 random bits, for 30 days and no script, and nowhere else: in the database as a hash only', async () => {
    const { phone, id } = await buildUser(api.db);
    const client = api.client();
    const answer = await signIn(client, phone);
    expect(String(answer.headers['set-cookie']?.[0])).toMatch(
      /^guichet_session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = client.cookies.get('guichet_session') ?? '';
    expect(cookie).toHaveLength(43);
    expect(JSON.stringify(answer.body)).not.toContain(cookie);
    const { rows } = await api.pool.query('select * from sessions where user_id = $1', [id]);
    expect(rows).toMatchObject([{ sid: sha256(cookie) }]);
    expect(JSON.stringify(rows)).not.toContain(cookie);
    const stolen = api.client();
    stolen.cookies.set('guichet_session', rows[0].sid);
    expect((await stolen.get('/api/auth/me')).status).toBe(401);
  });

  test("on https is Secure and bound to the host, and so are the codes' ones", async () => {
    const secure = await startTestApi({ publicUrl: 'https://guichet.example' });
    const { user } = await buildCaller(secure);
    const client = secure.client();
    const signedIn = await signIn(client, user.phone);
    const flags = 'Path=/; HttpOnly; Secure; SameSite=Lax';
    expect(String(signedIn.headers['set-cookie'])).toMatch(/^__Host-guichet_session=[\w-]{43}; Max-Age=2592000; /);
    expect(String(signedIn.headers['set-cookie'])).toContain(flags);
    expect(signedIn.headers['strict-transport-security']).toContain('max-age=31536000');
    expect((await client.get('/api/auth/me')).status).toBe(200);

    const plain = secure.client();
    plain.cookies.set('guichet_session', client.cookies.get('__Host-guichet_session') ?? '');
    expect((await plain.get('/api/auth/me')).status).toBe(401);

    const signedUp = await client.post('/api/auth/signup', signUpBody(nextPhone()));
    expect(String(signedUp.headers['set-cookie'])).toMatch(/^__Host-guichet_signup=/);
    expect(String(signedUp.headers['set-cookie'])).toContain(flags);
    const { client: forgetful } = await startReset(secure, user.phone);
    expect([...forgetful.cookies.keys()]).toEqual(['__Host-guichet_reset']);

    const left = await client.post('/api/auth/signout');
    expect(String(left.headers['set-cookie'])).toMatch(
      /^__Host-guichet_session=; Max-Age=0; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

test('a session gets a new id at sign-in over a live session, which ends', async () => {
  const { client, user } = await buildCaller(api);
  const planted = client.cookies.get('guichet_session') ?? '';
  const victim = await buildUser(api.db);
  expect((await signIn(client, victim.phone)).status).toBe(200);
  expect(client.cookies.get('guichet_session')).not.toBe(planted);
  const attacker = api.client();
  attacker.cookies.set('guichet_session', planted);
  expect((await attacker.get('/api/auth/me')).status).toBe(401);
  expect(await listSecondsLeft(user.id)).toEqual([]);
  expect(await client.get('/api/auth/me')).toMatchObject({ body: { user: { id: victim.id } } });
});

test('signing out ends the session: its cookie replayed is 401, and other phones stay in', async () => {
  const { client, user } = await buildCaller(api);
  const other = await signInAs(api, user);
  const cookie = client.cookies.get('guichet_session') ?? '';
  const answer = await client.post('/api/auth/signout');
  expect(answer).toMatchObject({ status: 200, body: { message: 'Déconnexion réussie' } });
  expect(client.cookies.has('guichet_session')).toBe(false);
  client.cookies.set('guichet_session', cookie);
  for (const path of ['/api/auth/me', `/api/tickets/user/${user.id}`, `/api/notifications/user/${user.id}`])
    expect(await client.get(path)).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
  expect((await other.get('/api/auth/me')).status).toBe(200);
});

test("a user's session is renewed by use, in the database and in the browser, once it has aged a day", async () => {
  const { client, user } = await buildCaller(api);
  const cookie = client.cookies.get('guichet_session');
  await setSecondsLeft(user.id, 29 * day + 3_600);
  expect((await client.get('/api/auth/me')).headers['set-cookie']).toBeUndefined();
  expect((await listSecondsLeft(user.id))[0]).toBe(29 * day + 3_600);

  await setSecondsLeft(user.id, 60);
  const answer = await client.get('/api/auth/me');
  expect(answer.status).toBe(200);
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^guichet_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  expect(client.cookies.get('guichet_session')).toBe(cookie);
  expect((await listSecondsLeft(user.id))[0]).toBe(30 * day);
});

test("an administrator's session lives 12 hours, used or not", async () => {
  const { user } = await buildAdmin(api);
  const client = api.client();
  await signIn(client, user.phone);
  const [left] = await listSecondsLeft(user.id);
  expect(left).toBe(12 * 3_600);
  await setSecondsLeft(user.id, 60);
  const answer = await client.get('/api/admin/users');
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await listSecondsLeft(user.id))[0]).toBe(60);
  await setSecondsLeft(user.id, 0);
  expect((await client.get('/api/admin/users')).status).toBe(401);
});

test('rights are those of the database now, not those of the sign-in', async () => {
  const { client, user } = await buildAdmin(api);
  const users = async () => (await client.get('/api/admin/users')).body;
  expect(await users()).toContainEqual(expect.objectContaining({ id: user.id }));
  await api.pool.query('update users set is_admin = false where id = $1', [user.id]);
  expect(await users()).toMatchObject({ code: 'FORBIDDEN' });
  expect((await client.get('/api/auth/me')).body).toMatchObject({ user: { isAdmin: false } });
  for (const change of ['update users set is_verified = false, deactivated_at = now()', 'delete from users']) {
    await api.pool.query(`${change} where id = $1`, [user.id]);
    expect((await client.get('/api/auth/me')).body).not.toHaveProperty('user');
  }
});

test('a session past its end is no session, nor is an invented one', async () => {
  const { client, user } = await buildCaller(api);
  const me = async () => (await client.get('/api/auth/me')).body;
  expect(await me()).toMatchObject({ user: { id: user.id } });
  await api.pool.query("update sessions set expire = now() - interval '1 second' where user_id = $1", [user.id]);
  expect(await me()).not.toHaveProperty('user');
  client.cookies.set('guichet_session', String(user.id));
  expect(await me()).not.toHaveProperty('user');
});

test("an account has 50 sessions at most: the oldest ends when one more begins, and nobody else's", async () => {
  const { phone, id } = await buildUser(api.db);
  const other = await buildCaller(api);
  const first = api.client();
  const second = api.client();
  await signIn(first, phone);
  await signIn(second, phone);
  await api.pool.query(
    "insert into sessions (sid, user_id, expire, created_at) select 's' || n, $1, now() + interval '1 d', now() - interval '1 s' from generate_series(1, 48) n",
    [id],
  );
  await api.pool.query(
    "update sessions set created_at = now() - interval '1 d' where user_id = $1 and sid = (select sid from sessions where user_id = $1 and sid not like 's%' order by created_at limit 1)",
    [id],
  );
  expect((await first.get('/api/auth/me')).status).toBe(200);
  await signIn(api.client(), phone);
  expect(await countSessions(api, id)).toBe(50);
  expect((await first.get('/api/auth/me')).status).toBe(401);
  expect((await second.get('/api/auth/me')).status).toBe(200);
  expect((await other.client.get('/api/auth/me')).status).toBe(200);
});
