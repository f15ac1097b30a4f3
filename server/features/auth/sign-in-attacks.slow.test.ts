import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword, openPasswordHasher } from '#server/features/users/password.ts';
import { createLimits } from '#server/http/rate-limits.ts';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildUser, knownPassword, passwordCost } from '#server/testing/builders.ts';
import { expectPause, fail, holdPauses, letPass, signIn } from '#server/testing/sign-in-steps.ts';
import { secret, startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { signIn as enter } from './sign-in.ts';

// Guesses from many addresses, which a proxy tells, and by accounts that the guesser made.

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on', trustProxy: ['127.0.0.1'] });
  await holdPauses(api);
});
beforeEach(() => api.pool.query('truncate rate_limits, sign_in_attempts'));
afterAll(() => api.close());

const secretOf = (password: string) => hashPassword(password, passwordCost);
/** A try from the address of that number. */
const signInFrom = (place: number, phoneOrEmail: string, password = 'pas-le-bon', client = api.client()) =>
  client.post(
    '/api/auth/signin',
    { phoneOrEmail, password },
    { 'x-forwarded-for': `203.0.${place >> 8}.${place & 255}` },
  );
/** What strangers' failures of an account add up to. */
async function failuresOf(id: number): Promise<number> {
  const { rows } = await api.pool.query(
    "select coalesce(sum(failures), 0)::int as n from sign_in_attempts where account = $1 and source in ('new', 'any')",
    [`user:${id}`],
  );
  return rows[0].n;
}
const inTens = async (count: number, make: (index: number) => Promise<unknown>) => {
  for (let done = 0; done < count; done += 10)
    await Promise.all(Array.from({ length: Math.min(10, count - done) }, (_, index) => make(done + index)));
};

describe('guesses by the local number, with an account of the same digits in another country', () => {
  /** No pause lasts, as for a guesser with enough time. */
  const withoutPauses = async (work: () => Promise<void>) => {
    await api.pool.query(`
      create or replace function end_pause() returns trigger language plpgsql as $$
        begin new.next_at := '-infinity'; return new; end $$;
      create or replace trigger zz_end_pause before insert or update on sign_in_attempts
        for each row execute function end_pause()`);
    await work().finally(() => api.pool.query('drop function end_pause cascade'));
  };

  /** A sign-up abroad with the victim's digits, whose password is the guess. */
  async function claimAbroad(phone: string, guess: string): Promise<void> {
    const claim = { password: guess, confirmPassword: guess, countryCode: '+228' };
    const { status } = await api.client().post('/api/auth/signup', signUpBody(`+228${phone.slice(4)}`, claim));
    expect(status).toBe(201);
  }

  test.each([
    ['a person', () => buildUser(api.db, { phone: '+22670303030' })],
    ['an administrator', () => buildUser(api.db, { phone: '+22670313131', isAdmin: true })],
  ])('that nobody verified: each is a failure of %s', async (_, build) => {
    const { id, phone } = await build();
    await claimAbroad(phone, 'deviné-1');
    await withoutPauses(() =>
      inTens(50, async (index) => {
        const answer = await signInFrom(index, phone.slice(4), 'deviné-1');
        expect(answer).toMatchObject({ status: 401, body: { code: 'CREDENTIALS' } });
      }),
    );
    expect(await failuresOf(id)).toBe(50);
  });

  test('that nobody verified: 1,000 are 1,000 failures', async () => {
    const { id, phone } = await buildUser(api.db, { phone: '+22670373737' });
    await claimAbroad(phone, 'deviné-1');
    const tools = {
      db: api.db,
      limits: createLimits(api.pool, true),
      passwords: openPasswordHasher(passwordCost),
      secret,
      host: undefined,
      limited: true,
    };
    await withoutPauses(() =>
      inTens(1_000, async (index) => {
        const from = { address: `place ${index}`, device: undefined };
        const guess = enter(tools, { phoneOrEmail: phone.slice(4), password: 'deviné-1' }, from);
        await expect(guess).rejects.toMatchObject({ code: 'CREDENTIALS' });
      }),
    );
    expect(await failuresOf(id)).toBe(1_000);
  });

  test("that is the guesser's own: each is a failure, and soon they wait", async () => {
    const victim = await buildUser(api.db, { phone: '+22670323232' });
    const own = await buildUser(api.db, {
      phone: '+22870323232',
      countryCode: '+228',
      password: await secretOf('mien-1'),
    });
    await withoutPauses(() =>
      inTens(50, async (index) => {
        const { body } = await signInFrom(index, '70323232', 'mien-1');
        expect(body.user.id).toBe(own.id);
      }),
    );
    expect(await failuresOf(victim.id)).toBe(50);
    expect(await failuresOf(own.id)).toBe(0);
    for (let tries = 0; tries < 5; tries += 1) expect((await signInFrom(1_000, '70323232')).status).toBe(401);
    await expectPause(signInFrom(1_000, '70323232', knownPassword));
  });

  test("are the guesser's alone where the one who signs in is known to the browser", async () => {
    const neighbours = [
      await buildUser(api.db, { phone: '+22670333333' }),
      await buildUser(api.db, { phone: '+22870333333', countryCode: '+228', password: await secretOf('voisine-1') }),
    ] as const;
    const browser = api.client();
    const enter = () => signIn(browser, '70333333', 'voisine-1');
    expect((await enter()).body.user.id).toBe(neighbours[1].id);
    // Of one whom the browser does not know yet.
    expect(await failuresOf(neighbours[0].id)).toBe(1);
    for (let times = 0; times < 10; times += 1) expect((await enter()).status).toBe(200);
    expect(await failuresOf(neighbours[0].id)).toBe(1);
    expect(await failuresOf(neighbours[1].id)).toBe(0);
  });
});

describe('while an account is guessed at', () => {
  test("by an account of the same digits abroad, its owner's browser waits for neither, and a typing error says so", async () => {
    const { id, phone } = await buildUser(api.db, { phone: '+22670343434' });
    await buildUser(api.db, { phone: '+22870343434', countryCode: '+228', password: await secretOf('voisine-1') });
    const own = api.client();
    await signIn(own, phone, knownPassword);
    await fail(api.client(), '70343434', 5);
    await expectPause(signIn(api.client(), '70343434', knownPassword));
    expect((await signIn(own, '70343434')).status).toBe(401);
    expect((await signIn(own, '70343434', knownPassword)).body.user.id).toBe(id);
  });

  test('an account abroad that was never verified keeps nobody waiting', async () => {
    const { id, phone } = await buildUser(api.db, { phone: '+22670353535' });
    const claim = await buildUser(api.db, { phone: '+22870353535', countryCode: '+228', isVerified: false });
    await fail(api.client(), claim.phone, 5);
    await expectPause(signIn(api.client(), claim.phone));
    const answer = await signIn(api.client(), phone.slice(4), knownPassword);
    expect(answer.body.user.id).toBe(id);
  });

  test('one of two neighbours who has to wait keeps the other from nothing, and is not told that the password is wrong', async () => {
    const one = await buildUser(api.db, { phone: '+22670363636' });
    const other = await buildUser(api.db, {
      phone: '+22870363636',
      countryCode: '+228',
      password: await secretOf('voisine-1'),
    });
    await fail(api.client(), one.phone, 5);
    await expectPause(signIn(api.client(), '70363636', knownPassword));
    expect((await signIn(api.client(), '70363636', 'voisine-1')).body.user.id).toBe(other.id);
  });

  /** So many addresses, each guessing until it is told to wait. */
  const guessFrom = async (addresses: number, phone: string) =>
    inTens(addresses, async (place) => {
      while ((await signInFrom(place, phone)).status === 401);
    });

  test('from 80 addresses, somebody at a new one is let in at once, and so is the usual browser; administrators are told', async () => {
    const { id, phone } = await buildUser(api.db);
    const { client: admin } = await buildAdmin(api);
    const own: TestClient = api.client();
    await signInFrom(900, phone, knownPassword, own);
    await guessFrom(80, phone);
    expect((await signInFrom(901, phone, knownPassword)).status).toBe(200);
    expect((await signInFrom(3, phone, knownPassword, own)).status).toBe(200);
    const { body } = await admin.get('/api/admin/dashboard?timeZone=Africa/Lome');
    // The first three of each, and the fifty that the further ones get.
    expect(body.signInAttacks).toMatchObject([{ userId: id, failures: 290 }]);
  });

  test('from more than that, somebody at a new one is let in at the first try after the wait, whoever else tries then', async () => {
    const { phone } = await buildUser(api.db);
    await guessFrom(100, phone);
    const refused = await signInFrom(900, phone, knownPassword);
    await expectPause(Promise.resolve(refused));
    expect(Number(refused.headers['retry-after']) - 3_600).toBeLessThanOrEqual(20);
    await letPass(api);
    const guesses = Array.from({ length: 40 }, (_, place) => signInFrom(place, phone));
    const owner = signInFrom(900, phone, knownPassword);
    const others = await Promise.all(guesses);
    expect((await owner).status).toBe(200);
    expect(others.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  test('a burst of one address counts its first three tries apart, and no more', async () => {
    const { id, phone } = await buildUser(api.db);
    await Promise.all(Array.from({ length: 20 }, () => signIn(api.client(), phone)));
    const { rows } = await api.pool.query(
      "select source, failures from sign_in_attempts where account = $1 and source in ('new', 'any') order by source",
      [`user:${id}`],
    );
    expect(rows).toEqual([
      { source: 'any', failures: 2 },
      { source: 'new', failures: 3 },
    ]);
  });
});
