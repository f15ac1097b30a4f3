import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { strangerLimits } from '#server/process/limits.ts';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { holdPauses, signIn } from '#server/testing/sign-in-steps.ts';
import { startTestApi, type TestApi, type TestResponse } from '#server/testing/test-api.ts';

// What is refused is refused before a password is hashed, so that strangers keep the processor from nobody.

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
  await holdPauses(api);
});
afterAll(() => api.close());

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

const post = (path: string, body: object) => api.client().post(`/api/auth/${path}`, body);
const fresh = { newPassword: 'nouveau-1', confirmPassword: 'nouveau-1' };

test('a made-up token is looked at before the new password', async () => {
  const hashes = await countHashes(async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => post('reset-password', { ...fresh, token: `inventé-${index}` })),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'TOKEN_INVALID' } });
  });
  expect(hashes).toBe(0);
});

test('a sign-in is counted before it is compared, also in a burst', async () => {
  const { phone } = await buildUser(api.db);
  const answers: TestResponse[] = [];
  const hashes = await countHashes(async () => {
    const burst = Array.from({ length: 60 }, () => signIn(api.client(), phone));
    answers.push(...(await Promise.all(burst)));
  });
  expect(hashes).toBe(5);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 401)) {
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('made-up names wait for their turn, and who finds none is told when to come back', async () => {
  await api.pool.query('truncate sign_in_attempts');
  const { atOnce, waiting } = strangerLimits;
  // Nobody's turn ends while this is held.
  const holder = await api.pool.connect();
  await holder.query('begin');
  await holder.query('lock table sign_in_attempts in exclusive mode');
  const refused: TestResponse[] = [];
  const burst = Array.from({ length: atOnce + waiting + 20 }, async () => {
    const answer = await signIn(api.client(), nextPhone());
    if (answer.status === 503) refused.push(answer);
    return answer;
  });
  await eventually(() => expect(refused.length).toBeGreaterThanOrEqual(20));
  await holder.query('commit');
  holder.release();
  const answers = await Promise.all(burst);
  for (const answer of refused) {
    expect(answer.body.code).toBe('BUSY');
    expect(Number(answer.headers['retry-after'])).toBe(strangerLimits.retryAfterSeconds);
  }
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(0);
});

test('a sign-up is refused before its password is hashed: of a taken number, and during a cool-down', async () => {
  const { phone: taken } = await buildUser(api.db);
  const pending = nextPhone();
  await post('signup', signUpBody(pending));
  const hashes = await countHashes(async () => {
    expect(await post('signup', signUpBody(taken))).toMatchObject({ status: 409, body: { code: 'PHONE_TAKEN' } });
    expect(await post('signup', signUpBody(pending))).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  });
  expect(hashes).toBe(0);
});

test('nobody is made an administrator, nor given a password, before the caller is known to be one', async () => {
  await buildAdmin(api);
  const { id } = await buildUser(api.db);
  const hashes = await countHashes(async () => {
    const path = `/api/admin/users/${id}`;
    expect((await api.client().patch(`${path}/reset-password`, { password: knownPassword })).status).toBe(401);
    expect((await api.client().patch(`${path}/administrator`, { isAdmin: true })).status).toBe(401);
  });
  expect(hashes).toBe(0);
});
