import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

test.each([
  ['send_sms', { id: '22670112233' }, 'id: '],
  ['send_push', { userId: 1 }, 'ticketId: '],
  ['send_push', { userId: 1, ticketId: 1, again: { newsId: 1, subscriptionId: 1 } }, 'again.attempt: '],
  ['tell_alarm_end', { key: 'disk', level: 'awful', message: 'x', since: 'x' }, 'level: '],
  ['call_alarm_webhook', { key: 'disk', level: 'warning', message: 'x', since: 'x' }, 'state: '],
])('a %s with the payload %j fails and says so', async (name, payload, words) => {
  const { rows } = await api.pool.query<{ id: string }>(
    'select id from graphile_worker.add_job($1, $2::json, max_attempts => 1)',
    [name, JSON.stringify(payload)],
  );
  const readError = async () => {
    const found = await api.pool.query<{ last_error: string | null }>(
      'select last_error from graphile_worker.jobs where id = $1',
      [rows[0]?.id],
    );
    return found.rows[0]?.last_error;
  };
  const error = await eventually(async () => {
    const found = await readError();
    if (!found) throw new Error('it has not failed yet');
    return found;
  });
  expect(error).toContain(`the payload of ${name} does not fit (${words}`);
});
