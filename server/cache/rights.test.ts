import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** Keeps the next answer of PostgreSQL back whose statement has this part; answers when it is there, and how to let it go. */
function holdAnswer(part: string) {
  const { db } = api;
  const { ask } = db;
  const there = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding: typeof ask = async (...calls) => {
    const isIt = calls.some(({ text }) => text.includes(part));
    if (isIt) Object.assign(db, { ask });
    const answer = await ask(...calls);
    if (isIt) {
      there.resolve();
      await released;
    }
    return answer;
  };
  Object.assign(db, { ask: holding });
  return { there: there.promise, release };
}

test('what somebody was answered by rights that they lost meanwhile is not kept for them', async () => {
  const { user, client } = await buildAdmin(api);
  const session = holdAnswer('from sessions');
  const underWay = client.get('/api/admin/pending-tickets');
  await session.there;
  await api.pool.query('update users set is_admin = false where id = $1', [user.id]);
  // Heard, before anything of the answer is read.
  await api.app.changeFeed.catchUp();
  session.release();
  // It was asked while they had them.
  expect((await underWay).status).toBe(200);
  // The first of these read whose session it is, and renew it; the last knows.
  for (const _ of [1, 2, 3, 4]) expect((await client.get('/api/admin/pending-tickets')).status).toBe(403);
});
