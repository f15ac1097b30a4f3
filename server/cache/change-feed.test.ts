import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { buildAdmin, buildPaymentType } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type WatchedFeed, watchFeed } from '#server/testing/watched-feed.ts';
import { type ChangeFeed, feedName } from './change-feed.ts';

let api: TestApi;
const feeds: WatchedFeed[] = [];
beforeAll(async () => {
  api = await startTestApi();
});
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
});
afterAll(() => api.close());

async function startFeed(limits?: { lookMs: number }): Promise<WatchedFeed> {
  const feed = watchFeed(api, limits);
  feeds.push(feed);
  feed.start();
  await untilLive(feed);
  return feed;
}
const untilLive = (feed: Pick<ChangeFeed, 'isLive'>) => eventually(() => expect(feed.isLive()).toBe(true));
const until = (feed: WatchedFeed, topic: string) => eventually(() => expect(feed.heard).toContain(topic));
const announce = (topic: string) => api.pool.query('insert into changes (topic) values ($1)', [topic]);
const readEpoch = async () => (await api.pool.query<{ epoch: string }>('select epoch from change_feed')).rows[0]?.epoch;

/** Ends the connection of each feed of this database. */
const killFeeds = () =>
  api.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [feedName],
  );

/** One that has to be told. */
const never = { lookMs: 3_600_000 };

/** A bare connection, as psql has one. */
async function withHand<T>(work: (client: pg.Client) => Promise<T>, { pool }: Pick<TestApi, 'pool'> = api): Promise<T> {
  const client = new pg.Client(pool.options as pg.ClientConfig);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Of each of eight connections. */
const transactions = 40;

/** A transaction: how many topics it announces before, within and after a savepoint, and how it ends. */
const plan = fc.record({
  before: fc.integer({ min: 0, max: 4 }),
  within: fc.integer({ min: 0, max: 6 }),
  after: fc.integer({ min: 1, max: 4 }),
  returnsToSavepoint: fc.boolean(),
  commits: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  /** For how many statements more it stays open, while others commit. */
  pauses: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) },
  ),
});

test('whatever order transactions commit in, each of their changes is heard, and none that was taken back', async ({
  signal,
}) => {
  const seed = inject('propertySeed');
  const feed = await startFeed();
  const kept = new Set<string>();
  const takenBack = new Set<string>();

  async function run(connection: number): Promise<void> {
    const plans = fc.sample(plan, { seed: seed + connection, numRuns: transactions });
    await withHand(async (client) => {
      for (const [number, each] of plans.entries()) {
        // One that failed has ended: nothing of it goes on beside the next test.
        if (signal.aborted) return;
        const write = (part: string, count: number, stays: boolean) => {
          const topics = Array.from({ length: count }, (_, index) => `orders ${connection}.${number}.${part}.${index}`);
          for (const topic of topics) (stays ? kept : takenBack).add(topic);
          return topics.map((topic) => `insert into changes (topic) values ('${topic}');`).join(' ');
        };
        const { commits, returnsToSavepoint } = each;
        const first = `begin; ${write('before', each.before, commits)} savepoint s;
          ${write('within', each.within, commits && !returnsToSavepoint)}
          ${returnsToSavepoint ? 'rollback to s;' : 'release s;'}`;
        const last = `${write('after', each.after, commits)} ${commits ? 'commit' : 'rollback'}`;
        if (each.pauses === 0) await client.query(first + last);
        else {
          await client.query(first);
          for (let pause = 0; pause < each.pauses; pause += 1) await client.query('select 1');
          await client.query(last);
        }
      }
    });
  }
  await Promise.all(
    Array.from({ length: 8 }, async (_, connection) => {
      await run(connection);
      await feed.catchUp();
    }),
  );
  const heard = new Set(feed.heard);
  expect([...kept].filter((topic) => !heard.has(topic))).toEqual([]);
  expect([...heard].filter((topic) => takenBack.has(topic))).toEqual([]);
  // Not by having been told that anything may have changed.
  expect(heard.has('everything')).toBe(false);
  expect(kept.size).toBeGreaterThan(25 * transactions);
});

test('its connection killed, it tells that everything may have changed, and is not live until it is back', async () => {
  const feed = await startFeed();
  const letBack = feed.keepAway();
  await killFeeds();
  await until(feed, 'everything');
  expect(feed.isLive()).toBe(false);
  // Whoever has written waits for nothing: nothing is answered from memory.
  await feed.catchUpAndTell();
  await announce('while it was away');
  expect(feed.isLive()).toBe(false);
  letBack();
  await untilLive(feed);
  await announce('since it is back');
  await feed.catchUp();
  expect(feed.heard).toContain('since it is back');
  expect(feed.liveAtEverything).not.toContain(true);
});

test('the row of the feed gone, as after a crash, everything may have changed, and a new epoch begins', async () => {
  const feed = await startFeed();
  const before = await readEpoch();
  await api.pool.query('truncate changes, change_feed');
  await feed.catchUp();
  expect(feed.heard).toEqual(['everything']);
  expect(feed.liveAtEverything).toEqual([false]);
  await untilLive(feed);
  expect(await readEpoch()).toMatch(/^[0-9a-f-]{36}$/);
  expect(await readEpoch()).not.toBe(before);
  await announce('in the new epoch');
  await feed.catchUp();
  expect(feed.heard).toEqual(['everything', 'in the new epoch']);
});

test('a dump put back, with the epoch that it carries, ends all that is in memory, whom sessions belong to too', async () => {
  const { id } = await buildPaymentType(api.db, 'Avant le retour');
  const { client: admin } = await buildAdmin(api);
  const url = '/api/payment-types';
  const first = await admin.get(url);
  expect((await admin.get('/api/auth/me')).status).toBe(200);
  const feed = await startFeed();
  const before = await readEpoch();
  await withHand((hand) =>
    // Tables are dropped and made anew, and triggers only when the rows are there.
    hand.query(`
      begin;
      set local guichet.quiet = 'on';
      alter table change_feed rename to former;
      create unlogged table change_feed (like former including all);
      insert into change_feed table former;
      drop table former;
      update payment_types set name = 'Comme autrefois' where id = ${id};
      delete from sessions;
      commit`),
  );
  expect(await readEpoch()).toBe(before);
  await Promise.all([feed, api.app.changeFeed].map((each) => each.catchUp()));
  expect(feed.heard).toEqual(['everything']);
  await Promise.all([feed, api.app.changeFeed].map(untilLive));
  const headers = { 'if-none-match': String(first.headers.etag) };
  const again = await request(api.app, { method: 'GET', url, headers });
  expect(again.statusCode).toBe(200);
  expect(again.json()).toContainEqual(expect.objectContaining({ name: 'Comme autrefois' }));
  expect((await admin.get('/api/auth/me')).status).toBe(401);
  await announce('in the new life');
  await feed.catchUp();
  expect(feed.heard).toEqual(['everything', 'in the new life']);
});

test('a dump of a server that had seen more transactions has no look tell more than what changed', async () => {
  const before = await readEpoch();
  await api.pool.query("update change_feed set kept_from = '999999999999'");
  const feed = await startFeed();
  await announce('told by name all the same');
  await feed.catchUp();
  expect(feed.heard).toEqual(['told by name all the same']);
  expect(await readEpoch()).not.toBe(before);
});

test('having been away for longer than changes are kept, it tells that everything may have changed', async () => {
  const feed = await startFeed(never);
  // Some transactions further than it has looked.
  await api.pool.query('update change_feed set kept_from = (pg_current_xact_id()::text::bigint + 3)::text::xid8');
  await feed.catchUp();
  expect(feed.heard).toEqual(['everything']);
  for (let each = 0; each < 4; each += 1) await announce('passing by');
  await feed.catchUp();
  const before = feed.heard.length;
  await announce('again told by name');
  await feed.catchUp();
  expect(feed.heard.slice(before)).toEqual(['again told by name']);
});

test('catching up waits for a look that is begun after it was asked for', async () => {
  const feed = await startFeed(never);
  const letGo = feed.holdLooks();
  const before = feed.answered();
  const first = feed.catchUp();
  await eventually(() => expect(feed.answered()).toBeGreaterThan(before));
  // The look under way has its snapshot: it answers for nobody who asks now.
  await announce('after the look began');
  const heard = feed.catchUp().then(() => [...feed.heard]);
  letGo();
  await first;
  expect(await heard).toContain('after the look began');
});

test('all who wait while a look is under way share the next one', async () => {
  const feed = await startFeed(never);
  const letGo = feed.holdLooks();
  const first = feed.catchUp();
  await eventually(() => expect(feed.looks.length).toBeGreaterThan(1));
  const before = feed.looks.length;
  const waiting = Array.from({ length: 100 }, () => feed.catchUp());
  letGo();
  await Promise.all([first, ...waiting]);
  // One, and whatever others have it look for meanwhile.
  expect(feed.looks.length - before).toBeLessThan(10);
});

test('told by another process it looks at once', async () => {
  const feed = await startFeed(never);
  const other = await startFeed();
  await announce('of another process');
  await other.catchUpAndTell();
  await until(feed, 'of another process');
});

test('told while a look is under way it looks once more', async () => {
  const feed = await startFeed(never);
  const other = await startFeed();
  const letGo = feed.holdLooks();
  const before = feed.answered();
  const first = feed.catchUp();
  await eventually(() => expect(feed.answered()).toBeGreaterThan(before));
  const toldBefore = feed.told();
  await announce('after the look began');
  await other.catchUpAndTell();
  await eventually(() => expect(feed.told()).toBeGreaterThan(toldBefore));
  letGo();
  await first;
  await until(feed, 'after the look began');
});

test('what is written by hand is heard without anybody telling', async () => {
  const feed = await startFeed();
  await withHand((client) => client.query("insert into payment_types (name) values ('À la main')"));
  await until(feed, 'payment-types');
});

test('a look that hangs ends what is answered from memory; answers come from the database then', async () => {
  const hanging = await startTestApi({ trustMs: 3_000 });
  const { id } = await buildPaymentType(hanging.db, 'Avant');
  await untilLive(hanging.app.changeFeed);
  const first = await hanging.client().get('/api/payment-types');
  // Whether what was read first still holds, without a word to the feed.
  const askAgain = async () => {
    const headers = { 'if-none-match': String(first.headers.etag) };
    return (await request(hanging.app, { method: 'GET', url: '/api/payment-types', headers })).statusCode;
  };
  await withHand(async (hand) => {
    await hand.query("set guichet.quiet = 'on'");
    await hand.query("update payment_types set name = 'Après' where id = $1", [id]);
    // From memory: what nobody announced is not seen.
    expect(await askAgain()).toBe(304);
    await hand.query('begin; lock table changes in access exclusive mode');
    await eventually(() => expect(hanging.app.changeFeed.isLive()).toBe(false));
    expect(await askAgain()).toBe(200);
    await hand.query('rollback');
  }, hanging);
  await untilLive(hanging.app.changeFeed);
  await hanging.close();
});

test('a transaction that is open since before an epoch began has no look tell more than what changed', async () => {
  await withHand(async (hand) => {
    await hand.query('begin; select pg_current_xact_id()');
    await api.pool.query('delete from change_feed');
    const feed = await startFeed();
    await announce('told by name');
    await feed.catchUp();
    expect(feed.heard).toEqual(['told by name']);
    await hand.query("insert into changes (topic) values ('of the old one'); commit");
    await feed.catchUp();
    expect(feed.heard).toEqual(['told by name', 'of the old one']);
  });
});
