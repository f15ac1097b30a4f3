import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '#server/features/users/password.ts';
import { countSessions, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
beforeEach(() => api.pool.query('delete from rate_limits'));
afterAll(() => api.close());

const signIn = (phoneOrEmail: string, password = 'pas-le-bon') =>
  api.client().post('/api/auth/signin', { phoneOrEmail, password });

async function fail(name: string, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) expect((await signIn(name)).status).toBe(401);
}

function expectTooMany(answer: TestResponse): void {
  expect(answer).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY', message: 'Trop de tentatives. Réessayez plus tard.' },
  });
  const wait = Number(answer.headers['retry-after']);
  expect(wait).toBeGreaterThan(850);
  expect(wait).toBeLessThanOrEqual(900);
  expect(answer.headers['set-cookie']).toBeUndefined();
}

test('after 10 failures the right password is refused too, until 15 minutes have passed', async () => {
  const { phone, id } = await buildUser(api.db);
  await fail(phone, 10);
  expectTooMany(await signIn(phone, knownPassword));
  expect(await countSessions(api, id)).toBe(0);
  await api.pool.query('update rate_limits set expire = 0');
  expect((await signIn(phone, knownPassword)).status).toBe(200);
});

test('an account is one, under its number and its e-mail address; others are not touched', async () => {
  const { phone } = await buildUser(api.db, { email: 'une@example.bf' });
  const other = await buildUser(api.db);
  await fail(phone, 4);
  await fail('une@example.bf', 3);
  await fail(` ${phone.slice(4)} `, 3);
  for (const name of [phone, 'UNE@example.bf', phone.slice(4)]) expectTooMany(await signIn(name, knownPassword));
  expect((await signIn(other.phone, knownPassword)).status).toBe(200);
});

test('an unknown name is limited as a known one is', async () => {
  for (const name of [nextPhone(), 'personne@example.bf']) {
    await fail(name, 10);
    expectTooMany(await signIn(name));
  }
});

test('a success forgets the failures before it', async () => {
  const { phone } = await buildUser(api.db);
  await fail(phone, 9);
  expect((await signIn(phone, knownPassword)).status).toBe(200);
  await fail(phone, 10);
  expectTooMany(await signIn(phone, knownPassword));
});

test('a success of the same local number in another country forgets nothing', async () => {
  await buildUser(api.db, { phone: '+22377020202', countryCode: '+223' });

  const victim = { phone: '+22677020202', password: await hashPassword('le-secret') };
  const { id } = await buildUser(api.db, victim);
  await fail('77020202', 9);
  expect(await signIn('77020202', knownPassword)).toMatchObject({ body: { user: { phone: '+22377020202' } } });
  await fail('77020202', 1);
  expectTooMany(await signIn('77020202', 'le-secret'));
  expectTooMany(await signIn('+226 77 02 02 02', 'le-secret'));
  expect(await countSessions(api, id)).toBe(0);
});

test('a burst of guesses is counted before they are compared', async () => {
  const { phone, id } = await buildUser(api.db);
  const guesses = [...Array.from({ length: 40 }, (_, index) => `devine-${index}`), knownPassword];
  const answers = await Promise.all(guesses.map((password) => signIn(phone, password)));
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(31);
  expect(await countSessions(api, id)).toBe(0);
});

test('a person who failed 10 times and reset the password is let in with the new one', async () => {
  const { phone } = await buildUser(api.db);
  await fail(phone, 10);
  const { client, token } = await takeResetToken(api, phone);
  const fresh = { newPassword: 'nouveau-1', confirmPassword: 'nouveau-1', token };
  expect((await client.post('/api/auth/reset-password', fresh)).status).toBe(200);
  expect((await signIn(phone, 'nouveau-1')).status).toBe(200);
});

test('one address fails 200 times in 15 minutes, whatever X-Forwarded-For says', async () => {
  const { phone } = await buildUser(api.db);
  await fail(nextPhone(), 1);
  const spent = await api.pool.query(
    "update rate_limits set points = 200 where key like 'signInsFailedPerAddress%' returning key",
  );
  expect(spent.rows).toHaveLength(1);
  const body = { phoneOrEmail: phone, password: knownPassword };
  expectTooMany(await api.client().post('/api/auth/signin', body, { 'x-forwarded-for': '10.1.2.3' }));
});
