import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpLimits } from '#server/process/limits.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
afterAll(() => api.close());

test('a flood from one address is refused in French, whoever sends it, and whatever hooks come after the refusal', async () => {
  const { client } = await buildCaller(api);
  const cookies = Object.fromEntries(client.cookies);
  // What nobody looks up is refused as soon.
  for (let sent = 0; sent < httpLimits.requestsPerPeriod; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => api.app.inject({ method: 'GET', url: '/api/health/live' })));
  const answer = await api.app.inject({ method: 'GET', url: '/api/auth/me', cookies });
  expect(answer.statusCode).toBe(429);
  expect(answer.json()).toMatchObject({ code: 'TOO_MANY', message: 'Trop de tentatives. Réessayez plus tard.' });
}, 60_000);
