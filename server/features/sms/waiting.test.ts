import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { readEnvironment } from '#server/process/environment.ts';
import { eventually } from '#server/testing/eventually.ts';
import { type FakeOrange, orangeKeys, startOrange } from '#server/testing/gateways/orange.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { hurrySms } from '#server/testing/hurry-sms.ts';
import { createDatabase, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { openRoute } from './gateways/open-route.ts';
import type { SmsRoute } from './sms-route.ts';
import { queueSms } from './store.ts';

let orange: FakeOrange;
let database: Awaited<ReturnType<typeof createDatabase>>;
let api: TestApi;

/** Orange alone, at so many messages a second. */
const routeAt = (perSecond: number): SmsRoute =>
  openRoute(
    readEnvironment({
      SMS_PROVIDER: '226=orange;*=console',
      ORANGE_URL: orange.url,
      ORANGE_CLIENT_ID: orangeKeys.clientId,
      ORANGE_CLIENT_SECRET: orangeKeys.clientSecret,
      ORANGE_SENDER_NAME: 'Guichet',
      ORANGE_PER_SECOND: String(perSecond),
    }),
    { file: '/nowhere', receiptSecret: 'r'.repeat(32), print: () => {} },
  );
/** A process on the database of this test. */
const startProcess = async (perSecond = 1_000) => {
  api = await startTestApi({ on: { database: database.database }, sms: routeAt(perSecond), worker: true });
};

beforeAll(async () => {
  orange = await startOrange();
});
afterAll(() => orange.close());
beforeEach(async () => {
  database = await createDatabase(`template ${templateDatabase}`);
  orange.mode = 'takes';
  orange.perSecond = Number.POSITIVE_INFINITY;
  orange.asked.length = 0;
  orange.taken.length = 0;
});
afterEach(() => api.close());

const phoneOf = (index: number) => `+2267100${String(index).padStart(4, '0')}`;

/** Queues messages, all at once. */
const queue = (count: number, kind: 'code' | 'decision' = 'decision', from = 0) =>
  api.db.transaction(async (tx) => {
    for (let index = from; index < from + count; index += 1)
      await queueSms(
        tx,
        { to: phoneOf(index), text: `Message ${index}`, kind, lifetimeSeconds: kind === 'code' ? 300 : 86_400 },
        { limited: false },
      );
  });

const countBy = async (condition: string): Promise<number> =>
  (await api.pool.query(`select count(*)::int as n from sms_messages where ${condition}`)).rows[0].n;

const untilNothingIsDue = () =>
  eventually(async () => {
    const { rows } = await api.pool.query(
      'select id from graphile_worker._private_jobs where locked_at is not null or (run_at <= now() and attempts < max_attempts)',
    );
    expect(rows).toEqual([]);
  });

const expectEachOnce = (count: number) =>
  expect(orange.taken.map(({ text }) => text).sort()).toEqual(
    Array.from({ length: count }, (_, index) => `Message ${index}`).sort(),
  );

test('messages outlast a gateway that is down, and a restart meanwhile, and leave when it is back', async () => {
  orange.mode = 'fails';
  await startProcess();
  await queue(20);
  const untilPutOff = () =>
    eventually(async () => {
      expect(await countBy("status = 'queued' and failure like 'orange : %' and job_id is not null")).toBe(20);
    });
  await untilPutOff();
  const asked = orange.asked.length;
  await api.close();
  await startProcess();
  for (let round = 0; round < 4; round += 1) {
    await hurrySms(api.pool);
    await untilNothingIsDue();
  }
  await untilPutOff();
  orange.mode = 'takes';
  await hurrySms(api.pool);
  await eventually(async () => expect(await countBy("status = 'sent' and body is null")).toBe(20));
  expectEachOnce(20);
  // It was soon left alone, but for one message now and then.
  expect(asked).toBeLessThan(12);
});

// They wait for the gateway's clock.
if (inject('scale') === 'full') {
  test("a burst beyond the gateway's rate leaves at that rate: all of it, each once, and it is hardly asked in vain", async () => {
    const burst = 200;
    orange.perSecond = 5;
    await startProcess(5);
    await queue(burst);
    await eventually(async () => expect(await countBy("status = 'sent'")).toBe(burst), { withinMs: 110_000 });
    expectEachOnce(burst);
    expect(orange.asked.length).toBeLessThanOrEqual(1.1 * burst);
  });

  test('so does one at a gateway whose rate nobody set', async () => {
    orange.perSecond = 5;
    await startProcess();
    await queue(30);
    const hurrying = setInterval(() => hurrySms(api.pool), 1_000);
    await eventually(async () => expect(await countBy("status = 'sent'")).toBe(30)).finally(() =>
      clearInterval(hurrying),
    );
    expectEachOnce(30);
  });

  test('codes go before decisions', async () => {
    orange.mode = 'fails';
    await startProcess();
    await queue(12);
    await queue(1, 'code', 12);
    await eventually(async () => expect(await countBy('job_id is not null')).toBe(13));
    await api.close();
    orange.mode = 'takes';
    await startProcess(5);
    await hurrySms(api.pool);
    await eventually(async () => expect(await countBy("status = 'sent'")).toBe(13));
    // Of a worker's four jobs in hand.
    expect(orange.taken.findIndex(({ text }) => text === 'Message 12')).toBeLessThan(5);
  });
}
