import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '#server/features/users/password.ts';
import { countSessions, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildUser, knownPassword, nextPhone, passwordCost } from '#server/testing/builders.ts';
import {
  comeFromElsewhere,
  expectPause,
  fail,
  failPatiently,
  holdPauses,
  letPass,
  signIn,
} from '#server/testing/sign-in-steps.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
  await holdPauses(api);
});
beforeEach(() => api.pool.query('truncate rate_limits, sign_in_attempts'));
afterAll(() => api.close());

/** Seconds of an account's pause, as the product set it: it is held by an hour, after which it would be forgotten. */
async function pauseOf(id: number, source = 'address:127.0.0.1'): Promise<number> {
  const { rows } = await api.pool.query(
    `select extract(epoch from next_at - forget_at)::float8 as pause from sign_in_attempts
     where account = $1 and source = $2`,
    [`user:${id}`, source],
  );
  return Math.round(rows[0].pause);
}

test('after 5 failures the next try waits a second, then 2, 4, 8, up to a minute, and the right password is never shut out', async () => {
  const { phone, id } = await buildUser(api.db);
  await fail(api.client(), phone, 5);
  for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await pauseOf(id)).toBe(pause);
    await expectPause(signIn(api.client(), phone, knownPassword));
    await letPass(api);
    await fail(api.client(), phone, 1);
  }
  expect(await countSessions(api, id)).toBe(0);
  await letPass(api);
  expect((await signIn(api.client(), phone, knownPassword)).status).toBe(200);
});

test('ten wrong guesses from anywhere keep nobody else out', async () => {
  const { user } = await buildAdmin(api);
  await failPatiently(api, user.phone, 10);
  await expectPause(signIn(api.client(), user.phone, knownPassword));
  await comeFromElsewhere(api);
  expect((await signIn(api.client(), user.phone, knownPassword)).status).toBe(200);
});

test('guesses from thousands of addresses slow down whom the account does not know, by seconds', async () => {
  const { phone, id } = await buildUser(api.db);
  const manyBefore = (source: string) =>
    api.pool.query('update sign_in_attempts set failures = 5000 where source = $1', [source]);
  await fail(api.client(), phone, 2);
  await manyBefore('new');
  await fail(api.client(), phone, 1);
  expect(await pauseOf(id, 'new')).toBe(20);
  // Three from here: the next counts with everybody's.
  await fail(api.client(), phone, 1);
  await manyBefore('any');
  await fail(api.client(), phone, 1);
  expect(await pauseOf(id, 'any')).toBe(15);
  await comeFromElsewhere(api);
  await expectPause(signIn(api.client(), phone, knownPassword));
});

test('an account is one, under its number and its e-mail address; others are not touched', async () => {
  const { phone } = await buildUser(api.db, { email: 'une@example.bf' });
  const other = await buildUser(api.db);
  await fail(api.client(), phone, 2);
  await fail(api.client(), 'une@example.bf', 2);
  await fail(api.client(), ` ${phone.slice(4)} `, 1);
  for (const name of [phone, 'UNE@example.bf', phone.slice(4)])
    await expectPause(signIn(api.client(), name, knownPassword));
  expect((await signIn(api.client(), other.phone, knownPassword)).status).toBe(200);
});

test('an address of many people costs twenty comparisons at most, each a try of its own', async () => {
  const sharers = await Promise.all(
    Array.from({ length: 23 }, () => buildUser(api.db, { email: 'commun@example.bf' })),
  );
  await fail(api.client(), 'commun@example.bf', 1);
  const { rows } = await api.pool.query(
    "select account from sign_in_attempts where account = any($1) and source like 'address:%'",
    [sharers.map(({ id }) => `user:${id}`)],
  );
  expect(rows).toHaveLength(20);
});

test('an unknown name is slowed down as a known one is', async () => {
  for (const name of [nextPhone(), 'personne@example.bf']) {
    await fail(api.client(), name, 5);
    await expectPause(signIn(api.client(), name));
  }
});

test('a success forgets the failures from here, and not those from elsewhere', async () => {
  const { phone, id } = await buildUser(api.db);
  await fail(api.client(), phone, 4);
  expect((await signIn(api.client(), phone, knownPassword)).status).toBe(200);
  await fail(api.client(), phone, 5);
  await expectPause(signIn(api.client(), phone, knownPassword));
  const { rows } = await api.pool.query(
    "select source, failures from sign_in_attempts where account = $1 and source in ('new', 'any') order by source",
    [`user:${id}`],
  );
  expect(rows).toEqual([
    { source: 'any', failures: 3 },
    { source: 'new', failures: 6 },
  ]);
});

test('a success of the same local number in another country forgets nothing', async () => {
  await buildUser(api.db, { phone: '+22377020202', countryCode: '+223' });
  const victim = { phone: '+22677020202', password: await hashPassword('le-secret', passwordCost) };
  const { id } = await buildUser(api.db, victim);
  await fail(api.client(), '77020202', 4);
  expect(await signIn(api.client(), '77020202', knownPassword)).toMatchObject({
    body: { user: { phone: '+22377020202' } },
  });
  await fail(api.client(), '77020202', 1);
  await expectPause(signIn(api.client(), '77020202', 'le-secret'));
  await expectPause(signIn(api.client(), '+226 77 02 02 02', 'le-secret'));
  expect(await countSessions(api, id)).toBe(0);
});

test('a burst of guesses is counted before they are compared', async () => {
  const { phone, id } = await buildUser(api.db);
  const guesses = [...Array.from({ length: 40 }, (_, index) => `devine-${index}`), knownPassword];
  const answers = await Promise.all(guesses.map((password) => signIn(api.client(), phone, password)));
  const compared = answers.filter((answer) => answer.status === 401).length;
  expect(compared).toBe(5);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(36);
  expect(await countSessions(api, id)).toBe(0);
});

test('a person who failed and reset the password is let in with the new one at once', async () => {
  const { phone } = await buildUser(api.db);
  await fail(api.client(), phone, 5);
  const { client, token } = await takeResetToken(api, phone);
  const fresh = { newPassword: 'nouveau-1', confirmPassword: 'nouveau-1', token };
  expect((await client.post('/api/auth/reset-password', fresh)).status).toBe(200);
  expect((await signIn(api.client(), phone, 'nouveau-1')).status).toBe(200);
});

test('an address that failed 200 times, whatever X-Forwarded-For says, goes on at one in seconds', async () => {
  const { phone } = await buildUser(api.db);
  for (let failed = 0; failed < 200; failed += 40)
    await Promise.all(Array.from({ length: 40 }, () => fail(api.client(), nextPhone(), 1)));
  const body = { phoneOrEmail: phone, password: knownPassword };
  await expectPause(api.client().post('/api/auth/signin', body, { 'x-forwarded-for': '10.1.2.3' }));
  await letPass(api);
  expect((await signIn(api.client(), phone, knownPassword)).status).toBe(200);
});

test('administrators are warned of accounts that somebody guesses at, theirs first, until it is forgotten', async () => {
  const { user: admin, client } = await buildAdmin(api);
  const { phone, id } = await buildUser(api.db);
  const read = async () => (await client.get('/api/admin/dashboard?timeZone=Africa/Lome')).body.signInAttacks;
  await failPatiently(api, phone, 19);
  expect(await read()).toEqual([]);
  await failPatiently(api, phone, 3);
  await failPatiently(api, admin.phone, 20);
  expect(await read()).toEqual([
    { userId: admin.id, name: 'Fatou Ouédraogo', isAdmin: true, failures: 20 },
    { userId: id, name: 'Awa Ouédraogo', isAdmin: false, failures: 22 },
  ]);
  await api.pool.query('update sign_in_attempts set forget_at = now()');
  expect(await read()).toEqual([]);
});
