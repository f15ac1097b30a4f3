import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '#server/features/users/password.ts';
import { countSessions, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
beforeEach(() => api.pool.query('truncate rate_limits, sign_in_attempts'));
afterAll(() => api.close());

/** The tests' calls come from one address; the table says them to come from another. */
const comeFromElsewhere = () =>
  api.pool.query(
    "update sign_in_attempts set source = 'address:192.0.2.' || ctid where starts_with(source, 'address:')",
  );
/** Ends every pause. */
const letPass = () => api.pool.query("update sign_in_attempts set next_at = '-infinity'");
/** Makes every pause that there is too long to end by itself while a test goes on. */
const hold = () =>
  api.pool.query("update sign_in_attempts set next_at = now() + interval '1 h' where next_at > '-infinity'");
/** Seconds of the longest pause of an account from here, as it was set. */
async function pauseOf(id: number): Promise<number> {
  const { rows } = await api.pool.query(
    `select extract(epoch from next_at - (forget_at - interval '1 h'))::float8 as pause from sign_in_attempts
     where account = $1 and starts_with(source, 'address:')`,
    [`user:${id}`],
  );
  return Math.round(rows[0].pause);
}

const signIn = (phoneOrEmail: string, password = 'pas-le-bon', client: TestClient = api.client()) =>
  client.post('/api/auth/signin', { phoneOrEmail, password });

async function fail(name: string, times: number, client?: TestClient): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) expect((await signIn(name, undefined, client)).status).toBe(401);
}

/** Fails as a guesser does who waits no longer than he must. */
async function failPatiently(name: string, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    await letPass();
    await fail(name, 1);
  }
}

/** That a sign-in is told to wait, once the pauses there are cannot end by themselves. */
async function expectPause(ask: () => Promise<TestResponse>): Promise<void> {
  await hold();
  const answer = await ask();
  expect(answer).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY', message: 'Trop de tentatives. Réessayez plus tard.' },
  });
  const wait = Number(answer.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(3_600);
  expect(answer.headers['set-cookie']).toBeUndefined();
}

test('after 5 failures the next try waits a second, then 2, 4, 8, up to a minute, and the right password is never shut out', async () => {
  const { phone, id } = await buildUser(api.db);
  await fail(phone, 5);
  for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await pauseOf(id)).toBe(pause);
    await expectPause(() => signIn(phone, knownPassword));
    await letPass();
    await fail(phone, 1);
  }
  expect(await countSessions(api, id)).toBe(0);
  await letPass();
  expect((await signIn(phone, knownPassword)).status).toBe(200);
});

test('ten wrong guesses from anywhere keep nobody else out', async () => {
  const { user } = await buildAdmin(api);
  await failPatiently(user.phone, 10);
  await expectPause(() => signIn(user.phone, knownPassword));
  await comeFromElsewhere();
  expect((await signIn(user.phone, knownPassword)).status).toBe(200);
});

test('guesses from thousands of addresses slow down whom the account does not know, by seconds', async () => {
  const { phone } = await buildUser(api.db);
  await fail(phone, 1);
  await api.pool.query(
    "update sign_in_attempts set failures = 5000, next_at = now() + interval '10 s' where source = 'any'",
  );
  await comeFromElsewhere();
  await expectPause(() => signIn(phone, knownPassword));
});

test('a browser that signed in to the account before waits for nobody’s failures but its own', async () => {
  const { phone } = await buildUser(api.db);
  const own = api.client();
  expect((await signIn(phone, knownPassword, own)).status).toBe(200);
  await failPatiently(phone, 60);
  await api.pool.query("update sign_in_attempts set next_at = now() + interval '1 h'");
  await expectPause(() => signIn(phone, knownPassword));
  await fail(phone, 4, own);
  expect((await signIn(phone, knownPassword, own)).status).toBe(200);
  await fail(phone, 5, own);
  await expectPause(() => signIn(phone, knownPassword, own));
});

test('the cookie of a browser counts for the accounts that signed in with it, and only as the server signed it', async () => {
  const mine = await buildUser(api.db);
  const other = await buildUser(api.db);
  const own = api.client();
  await signIn(mine.phone, knownPassword, own);
  const cookie = own.cookies.get('guichet_device') ?? '';
  for (const { phone } of [mine, other]) await fail(phone, 5);
  await expectPause(() => signIn(other.phone, knownPassword, own));
  const forged = api.client();
  for (const value of [cookie.replace(/\.\d+\./, `.${other.id}.`), `${cookie}x`, '..', ''])
    for (const { phone } of [other, mine]) {
      forged.cookies.set('guichet_device', value);
      await expectPause(() => signIn(phone, knownPassword, forged));
    }
  expect((await signIn(mine.phone, knownPassword, own)).status).toBe(200);
  await letPass();
  expect((await signIn(other.phone, knownPassword, own)).status).toBe(200);
  await fail(other.phone, 5);
  for (const { phone } of [mine, other]) expect((await signIn(phone, knownPassword, own)).status).toBe(200);
});

test('an account is one, under its number and its e-mail address; others are not touched', async () => {
  const { phone } = await buildUser(api.db, { email: 'une@example.bf' });
  const other = await buildUser(api.db);
  await fail(phone, 2);
  await fail('une@example.bf', 2);
  await fail(` ${phone.slice(4)} `, 1);
  for (const name of [phone, 'UNE@example.bf', phone.slice(4)]) await expectPause(() => signIn(name, knownPassword));
  expect((await signIn(other.phone, knownPassword)).status).toBe(200);
});

test('an unknown name is slowed down as a known one is', async () => {
  for (const name of [nextPhone(), 'personne@example.bf']) {
    await fail(name, 5);
    await expectPause(() => signIn(name));
  }
});

test('a success forgets the failures from here, and not those from elsewhere', async () => {
  const { phone, id } = await buildUser(api.db);
  await fail(phone, 4);
  expect((await signIn(phone, knownPassword)).status).toBe(200);
  await fail(phone, 5);
  await expectPause(() => signIn(phone, knownPassword));
  const { rows } = await api.pool.query("select failures from sign_in_attempts where account = $1 and source = 'any'", [
    `user:${id}`,
  ]);
  expect(rows).toEqual([{ failures: 9 }]);
});

test('a success of the same local number in another country forgets nothing', async () => {
  await buildUser(api.db, { phone: '+22377020202', countryCode: '+223' });
  const victim = { phone: '+22677020202', password: await hashPassword('le-secret') };
  const { id } = await buildUser(api.db, victim);
  await fail('77020202', 4);
  expect(await signIn('77020202', knownPassword)).toMatchObject({ body: { user: { phone: '+22377020202' } } });
  await fail('77020202', 1);
  await expectPause(() => signIn('77020202', 'le-secret'));
  await expectPause(() => signIn('+226 77 02 02 02', 'le-secret'));
  expect(await countSessions(api, id)).toBe(0);
});

test('a burst of guesses is counted before they are compared', async () => {
  const { phone, id } = await buildUser(api.db);
  const guesses = [...Array.from({ length: 40 }, (_, index) => `devine-${index}`), knownPassword];
  const answers = await Promise.all(guesses.map((password) => signIn(phone, password)));
  const compared = answers.filter((answer) => answer.status === 401).length;
  // Five, and one more where the burst took longer than a pause.
  expect(compared).toBeGreaterThanOrEqual(5);
  expect(compared).toBeLessThan(10);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(41 - compared);
  expect(await countSessions(api, id)).toBe(0);
});

test('a person who failed and reset the password is let in with the new one at once', async () => {
  const { phone } = await buildUser(api.db);
  await fail(phone, 5);
  const { client, token } = await takeResetToken(api, phone);
  const fresh = { newPassword: 'nouveau-1', confirmPassword: 'nouveau-1', token };
  expect((await client.post('/api/auth/reset-password', fresh)).status).toBe(200);
  expect((await signIn(phone, 'nouveau-1')).status).toBe(200);
});

test('an address that failed 200 times, whatever X-Forwarded-For says, goes on at one in seconds', async () => {
  const { phone } = await buildUser(api.db);
  await fail(nextPhone(), 1);
  const spent = await api.pool.query(
    "update sign_in_attempts set failures = 199 where account = 'any' and starts_with(source, 'address:') returning 1",
  );
  expect(spent.rows).toHaveLength(1);
  await fail(nextPhone(), 1);
  const body = { phoneOrEmail: phone, password: knownPassword };
  await expectPause(() => api.client().post('/api/auth/signin', body, { 'x-forwarded-for': '10.1.2.3' }));
  await letPass();
  expect((await signIn(phone, knownPassword)).status).toBe(200);
});

test('administrators are warned of accounts that somebody guesses at, theirs first, until it is forgotten', async () => {
  const { user: admin, client } = await buildAdmin(api);
  const { phone, id } = await buildUser(api.db);
  const read = async () => (await client.get('/api/admin/dashboard?timeZone=Africa/Lome')).body.signInAttacks;
  await failPatiently(phone, 19);
  expect(await read()).toEqual([]);
  await failPatiently(phone, 3);
  await failPatiently(admin.phone, 20);
  expect(await read()).toEqual([
    { userId: admin.id, name: 'Fatou Ouédraogo', isAdmin: true, failures: 20 },
    { userId: id, name: 'Awa Ouédraogo', isAdmin: false, failures: 22 },
  ]);
  await api.pool.query('update sign_in_attempts set forget_at = now()');
  expect(await read()).toEqual([]);
});
