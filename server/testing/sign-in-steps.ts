import { expect } from 'vitest';
import type { TestApi, TestClient, TestResponse } from './test-api.ts';

/** Ends every wait for failed sign-ins, as if it had passed. */
export const letPass = (api: TestApi) =>
  api.pool.query("update rate_limits set expire = 0 where key like 'signInTries:%'");

/** A sign-in, `place` being the caller's address where the API trusts the tests' own as its proxy. */
export const signIn = (client: TestClient, phoneOrEmail: string, password = 'pas-le-bon', place?: number) =>
  client.post(
    '/api/auth/signin',
    { phoneOrEmail, password },
    place === undefined ? {} : { 'x-forwarded-for': `203.0.${place >> 8}.${place & 255}` },
  );

/** Gives wrong passwords for an account, none of which has to wait. */
export async function fail(client: TestClient, name: string, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) expect((await signIn(client, name)).status).toBe(401);
}

/** That a call is told to wait, and is answered nothing else. Answers the seconds. */
export async function expectPause(asked: Promise<TestResponse>, code = 'TOO_MANY'): Promise<number> {
  const answer = await asked;
  expect(answer).toMatchObject({ status: 429, body: { code } });
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(answer.headers['set-cookie']).toBeUndefined();
  return seconds;
}
