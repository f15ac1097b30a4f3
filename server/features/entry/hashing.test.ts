import { createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { signIn } from '#server/testing/sign-in-steps.ts';
import { startTestApi, type TestResponse } from '#server/testing/test-api.ts';
import { whileHeld } from '#server/testing/while-locked.ts';
import { entryLimits } from './routes.ts';

// What is refused is refused before a password is hashed, so that strangers keep the processor from nobody.

const api = await startTestApi({ rateLimits: 'on' });

/** How many passwords are hashed while something is done. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') hashes += 1;
    },
  }).enable();
  await work();
  hook.disable();
  return hashes;
}

test('what is refused is not hashed: a made-up token, a taken number, a cool-down, a caller without rights', async () => {
  const { phone: taken, id } = await buildUser(api.db);
  const pending = nextPhone();
  const post = (path: string, body: object) => api.client().post(`/api/auth/${path}`, body);
  await post('signup', signUpBody(pending));
  const hashes = await countHashes(async () => {
    const fresh = { token: 'inventé', newPassword: 'nouveau-1', confirmPassword: 'nouveau-1' };
    expect((await post('reset-password', fresh)).body.code).toBe('TOKEN_INVALID');
    expect((await post('signup', signUpBody(taken))).body.code).toBe('PHONE_TAKEN');
    expect((await post('signup', signUpBody(pending))).body.code).toBe('TOO_MANY');
    const path = `/api/admin/users/${id}`;
    expect((await api.client().patch(`${path}/reset-password`, { password: knownPassword })).status).toBe(401);
  });
  expect(hashes).toBe(0);
});

test('a sign-in is counted before it is compared, also in a burst', async () => {
  const { phone } = await buildUser(api.db);
  let answers: TestResponse[] = [];
  const hashes = await countHashes(async () => {
    answers = await Promise.all(Array.from({ length: 60 }, () => signIn(api.client(), phone)));
  });
  expect(hashes).toBe(5);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(401), ...Array(55).fill(429)]);
});

test('made-up names wait for their turn, and who finds none is told when to come back', async () => {
  const { atOnce, waiting } = entryLimits;
  // Nobody's turn ends while this is held.
  const refused: TestResponse[] = [];
  let burst: Promise<TestResponse>[] = [];
  await whileHeld(api.pool, 'lock table rate_limits in exclusive mode', async () => {
    burst = Array.from({ length: atOnce + waiting + 20 }, async () => {
      const answer = await signIn(api.client(), nextPhone());
      if (answer.status === 503) refused.push(answer);
      return answer;
    });
    await eventually(() => expect(refused.length).toBeGreaterThanOrEqual(20));
  });
  const answers = await Promise.all(burst);
  for (const { body, headers } of refused) {
    expect(body.code).toBe('BUSY');
    expect(Number(headers['retry-after'])).toBe(entryLimits.retryAfterSeconds);
  }
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(0);
});
