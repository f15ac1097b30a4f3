import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildUser, knownPassword } from '#server/testing/builders.ts';
import { hearWrites } from '#server/testing/hear-writes.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
afterAll(() => api.close());

test('a sign-in looks for the person, takes its tries, and gives them back, in one round trip each', async () => {
  const { phone } = await buildUser(api.db);
  const heard = hearWrites(api.pool);
  const answer = await api.client().post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword });
  heard.stop();
  expect(answer.status).toBe(200);
  const session = heard.writes.findIndex((each) => each.some((text) => text.startsWith('insert into sessions')));
  // The worker's own words beside.
  const beforeSession = heard.writes.slice(0, session).filter(([first]) => !first?.startsWith('LISTEN'));
  expect(beforeSession).toEqual([
    [expect.stringContaining('from users where phone = any')],
    [expect.stringContaining('insert into sign_in_attempts')],
    [
      expect.stringContaining('delete from sign_in_attempts'),
      expect.stringContaining('update sign_in_attempts'),
      expect.stringContaining('update sign_in_attempts'),
    ],
  ]);
});
