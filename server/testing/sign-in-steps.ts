import { expect } from 'vitest';
import type { TestApi, TestClient, TestResponse } from './test-api.ts';

/**
 * Has every pause last an hour longer than the product's: none ends by itself while a test goes on, however slow the machine
 * is. `letPass` ends them.
 */
export async function holdPauses(api: TestApi): Promise<void> {
  await api.pool.query(`
    create function hold_pause() returns trigger language plpgsql as $$
    begin
      if new.next_at > '-infinity' then new.next_at := new.next_at + interval '1 h'; end if;
      return new;
    end $$;
    create trigger hold_pause before insert or update of failures on sign_in_attempts
      for each row execute function hold_pause()`);
}

/** Ends every pause. */
export const letPass = (api: TestApi) => api.pool.query("update sign_in_attempts set next_at = '-infinity'");

/** The tests' calls come from one address; the table says that those so far came from another each. */
export const comeFromElsewhere = (api: TestApi) =>
  api.pool.query(
    "update sign_in_attempts set source = 'address:192.0.2.' || ctid where starts_with(source, 'address:')",
  );

export const signIn = (client: TestClient, phoneOrEmail: string, password = 'pas-le-bon') =>
  client.post('/api/auth/signin', { phoneOrEmail, password });

/** Gives wrong passwords for an account, none of which has to wait. */
export async function fail(client: TestClient, name: string, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) expect((await signIn(client, name)).status).toBe(401);
}

/** Fails as a guesser does who waits no longer than he must. */
export async function failPatiently(api: TestApi, name: string, times: number, client = api.client()): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    await letPass(api);
    await fail(client, name, 1);
  }
}

/** That a call is told to wait, and is answered nothing else. */
export async function expectPause(asked: Promise<TestResponse>): Promise<void> {
  const answer = await asked;
  expect(answer).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY', message: 'Trop de tentatives. Réessayez plus tard.' },
  });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.headers['set-cookie']).toBeUndefined();
}
