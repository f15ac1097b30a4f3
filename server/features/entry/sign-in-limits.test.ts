import { beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '#server/features/users/password.ts';
import { rateLimits } from '#server/http/limits.ts';
import { countSessions, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone, passwordCost } from '#server/testing/builders.ts';
import { expectPause, fail, letPass, signIn } from '#server/testing/sign-in-steps.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on', trustProxy: ['127.0.0.1'] });
beforeEach(() => api.pool.query('truncate rate_limits'));

/** Uses so many points of a limit up. */
const useUp = (limit: string, key: string, points: number) =>
  api.pool.query(
    'insert into rate_limits values ($1, $2, $3) on conflict (key) do update set points = excluded.points',
    [`${limit}:${key}`, points, Date.now() + 600_000],
  );
const failuresOf = async (id: number): Promise<number> =>
  (await api.pool.query('select points from rate_limits where key = $1', [`signInFailuresPerAccount:user-${id}`]))
    .rows[0]?.points ?? 0;

test('after 5 failures the next tries wait a minute, after 5 more two, then 4, up to 4 hours; then the right password lets in', async () => {
  const { phone, id } = await buildUser(api.db);
  const minutes: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    await fail(api.client(), phone, 5);
    minutes.push((await expectPause(signIn(api.client(), phone, knownPassword))) / 60);
    // Asked again, the wait grows no longer.
    expect(await expectPause(signIn(api.client(), phone, knownPassword))).toBeLessThanOrEqual(
      (minutes.at(-1) ?? 0) * 60,
    );
    await letPass(api);
  }
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
  expect(await countSessions(api, id)).toBe(0);
  expect((await signIn(api.client(), phone, knownPassword)).status).toBe(200);
});

test('a success begins anew here, and takes nothing back of the account or the address but itself', async () => {
  const { phone, id } = await buildUser(api.db);
  for (let times = 0; times < 2; times += 1) {
    await fail(api.client(), phone, 4);
    expect((await signIn(api.client(), phone, knownPassword)).status).toBe(200);
  }
  expect(await failuresOf(id)).toBe(8);
  const { rows } = await api.pool.query("select points from rate_limits where key like 'signInFailuresPerAddress:%'");
  expect(rows).toEqual([{ points: 8 }]);
  await fail(api.client(), phone, 5);
  expect(await expectPause(signIn(api.client(), phone, knownPassword))).toBe(60);
});

test('an account is one, under its number and its e-mail address, and an unknown name is answered alike', async () => {
  const { phone } = await buildUser(api.db, { email: 'une@example.bf' });
  await fail(api.client(), phone, 2);
  await fail(api.client(), 'une@example.bf', 2);
  await fail(api.client(), ` ${phone.slice(4)} `, 1);
  for (const name of [phone, 'UNE@example.bf', phone.slice(4)])
    await expectPause(signIn(api.client(), name, knownPassword));
  expect((await signIn(api.client(), (await buildUser(api.db)).phone, knownPassword)).status).toBe(200);
  for (const name of [nextPhone(), 'personne@example.bf', `x\ud83d${'y'.repeat(200)}`.toWellFormed()]) {
    await fail(api.client(), name, 5);
    await expectPause(signIn(api.client(), name));
  }
});

test('an address that failed 200 times waits, its known browsers do not; one IPv6 network is one address', async () => {
  const { phone } = await buildUser(api.db);
  const own = api.client();
  await signIn(own, phone, knownPassword, 1);
  await useUp('signInFailuresPerAddress', '203.0.0.1', rateLimits.signInFailuresPerAddress.points);
  await expectPause(signIn(api.client(), phone, knownPassword, 1));
  expect((await signIn(own, phone, knownPassword, 1)).status).toBe(200);
  expect((await signIn(api.client(), phone, knownPassword, 2)).status).toBe(200);

  const guess = async (address: string) => {
    const body = { phoneOrEmail: phone, password: 'deviné' };
    return (await api.client().post('/api/auth/signin', body, { 'x-forwarded-for': address })).status;
  };
  for (let nth = 0; nth < 5; nth += 1) expect(await guess(`2001:db8::${nth}`)).toBe(401);
  expect(await guess('2001:db8::ffff:1')).toBe(429);
  expect(await guess('2001:db8:0:1::1')).toBe(401);
});

describe('an account at which many addresses guess', () => {
  /** Wrong passwords from addresses of their own, in bursts; answers how many were compared. */
  async function guess(name: string, addresses: number): Promise<number> {
    let compared = 0;
    for (let place = 0; place < addresses; place += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => signIn(api.client(), name, 'deviné', place + index)),
      );
      for (const { status } of answers) expect([401, 429]).toContain(status);
      compared += answers.filter(({ status }) => status === 401).length;
    }
    return compared;
  }

  test('has 100 passwords compared a day; unknown browsers are sent to the reset, and known ones wait for nobody', async () => {
    const { phone, email } = await buildUser(api.db, { email: 'visée@example.bf' });
    const own = api.client();
    await signIn(own, phone, knownPassword, 900);
    expect(await guess(phone, 140)).toBe(100);
    for (const name of [phone, String(email)])
      expect(await signIn(api.client(), name, knownPassword, 901)).toMatchObject({
        status: 429,
        body: { code: 'RESET_NEEDED', message: expect.stringContaining('par SMS') },
      });
    expect((await signIn(own, phone, knownPassword, 3)).status).toBe(200);

    const { client, token } = await takeResetToken(api, phone);
    const form = { token, newPassword: 'nouveau-1', confirmPassword: 'nouveau-1' };
    expect((await client.post('/api/auth/reset-password', form)).status).toBe(200);
    expect((await signIn(client, phone, 'nouveau-1', 902)).status).toBe(200);
    expect((await signIn(api.client(), phone, 'nouveau-1', 903)).status).toBe(200);
  });

  test.each([
    ['an administrator is told of the usual browser and the command line', { isAdmin: true }, 'guichet -- admin reset'],
    ['one never verified is told to wait', { isVerified: false }, 'Réessayez plus tard'],
  ])('%s', async (_, fields, message) => {
    const { phone, id } = await buildUser(api.db, fields);
    await useUp('signInFailuresPerAccount', `user-${id}`, 100);
    expect(await signIn(api.client(), phone, knownPassword)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY', message: expect.stringContaining(message) },
    });
  });

  test('is not used up by one address, nor by those who are told to wait', async () => {
    const { phone, id } = await buildUser(api.db);
    for (let times = 0; times < 30; times += 1) await signIn(api.client(), phone, 'deviné', 1);
    expect(await failuresOf(id)).toBe(5);
    expect((await signIn(api.client(), phone, knownPassword, 2)).status).toBe(200);
  });
});

describe('a local number of two people in different countries', () => {
  const buildNeighbours = async (digits: string) =>
    [
      await buildUser(api.db, { phone: `+226${digits}` }),
      await buildUser(api.db, {
        phone: `+228${digits}`,
        countryCode: '+228',
        password: await hashPassword('voisine-1', passwordCost),
      }),
    ] as const;

  test('one who has to wait keeps the other from nothing, and the browser that an account knows hears that it was wrong', async () => {
    const [one, other] = await buildNeighbours('70363636');
    const own = api.client();
    await signIn(own, other.phone, 'voisine-1');
    await fail(api.client(), one.phone, 5);
    expect((await signIn(api.client(), '70363636', 'voisine-1')).body.user.id).toBe(other.id);
    expect((await signIn(own, '70363636')).status).toBe(401);
    expect((await signIn(own, '70363636', 'voisine-1')).body.user.id).toBe(other.id);
    await expectPause(signIn(api.client(), '70363636'));
  });
});
