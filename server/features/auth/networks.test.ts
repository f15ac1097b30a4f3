import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInLimits } from '#server/process/limits.ts';
import { buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on', trustProxy: ['127.0.0.1'] });
});
afterAll(() => api.close());

test('failures from anywhere in one IPv6 network count together, and those from another one by themselves', async () => {
  const { phone } = await buildUser(api.db);
  const guessFrom = async (address: string) => {
    const body = { phoneOrEmail: phone, password: 'deviné' };
    return (await api.client().post('/api/auth/signin', body, { 'x-forwarded-for': address })).status;
  };
  const free = signInLimits.browser.free;
  for (let guess = 0; guess < free; guess += 1) expect(await guessFrom(`2001:db8::${guess}`)).toBe(401);
  // However long this took, their pause is not over.
  await api.pool.query(
    "update sign_in_attempts set next_at = now() + interval '1 minute' where source like 'address:%' and failures >= $1",
    [free],
  );
  expect(await guessFrom('2001:db8::ffff:1')).toBe(429);
  expect(await guessFrom('2001:db8:0:1::1')).toBe(401);
});
