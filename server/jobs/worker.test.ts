import pino from 'pino';
import { expect, test } from 'vitest';
import { consoleGateway } from '#server/features/sms/gateways/local.ts';
import { routeThrough } from '#server/features/sms/sms-route.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { createTasks } from './worker.ts';

const api = await startTestApi();

test.each([
  ['send_sms', { id: '22670112233' }, 'id: '],
  ['send_push', { userId: 1, ticketId: 1 }, 'subscriptionId: '],
])('a %s with the payload %j fails and says so', async (name, payload, words) => {
  const { rows } = await api.pool.query<{ id: string }>(
    'select id from graphile_worker.add_job($1, $2::json, max_attempts => 1)',
    [name, JSON.stringify(payload)],
  );
  await api.runJobs();
  const failed = await api.pool.query('select last_error from graphile_worker.jobs where id = $1', [rows[0]?.id]);
  expect(failed.rows[0].last_error).toContain(`the payload of ${name} does not fit (${words}`);
});

const sms = routeThrough(consoleGateway(() => {}));
const backup = { hour: 3, run: async () => {} };
const tools = { ...api, sms, backup, log: pino({ level: 'silent' }) };
const { tasks, crontab } = createTasks(tools, new AbortController().signal);

test('each job with a time runs by itself', () => {
  const names = crontab.map(({ task }) => task).toSorted();
  expect(names).toEqual(['back_up', 'clean_up', 'fold_tallies', 'rank_services']);
  expect(Object.keys(tasks)).toEqual(expect.arrayContaining(names));
});

test('a job with a time that passes some hours by is made up for, where nothing ran at its time', () => {
  const isDue = (hour: number, { match }: (typeof crontab)[number]) =>
    Array.from({ length: 60 }, (_, min) => match({ min, hour, date: 1, month: 1, dow: 1 })).includes(true);
  const rare = crontab.filter((item) => !Array.from({ length: 24 }, (_, hour) => isDue(hour, item)).every(Boolean));
  expect(rare.map(({ task, options }) => [task, options.backfillPeriod / 3_600_000]).toSorted()).toEqual([
    ['back_up', 23],
    ['rank_services', 23],
  ]);
});
