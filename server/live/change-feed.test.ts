import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { liveLimits } from '#server/process/limits.ts';
import { buildPaymentType } from '#server/testing/builders.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type WatchedFeed, watchFeed } from '#server/testing/watched-feed.ts';
import { type ChangeFeed, feedName } from './change-feed.ts';
import { pruneChanges } from './prune-changes.ts';

let api: TestApi;
const feeds: WatchedFeed[] = [];
beforeAll(async () => {
  api = await startTestApi();
});
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
});
afterAll(() => api.close());

async function startFeed(): Promise<WatchedFeed> {
  const feed = watchFeed(api);
  feeds.push(feed);
  feed.start();
  await untilLive(feed);
  return feed;
}
const untilLive = (feed: Pick<ChangeFeed, 'isLive'>) =>
  vi.waitFor(() => expect(feed.isLive()).toBe(true), { timeout: 10_000, interval: 2 });
const until = (feed: WatchedFeed, topic: string) =>
  vi.waitFor(() => expect(feed.heard).toContain(topic), { timeout: 10_000, interval: 2 });
const announce = (topic: string) => api.pool.query('insert into changes (topic) values ($1)', [topic]);
const readEpoch = async () => (await api.pool.query<{ epoch: string }>('select epoch from change_feed')).rows[0]?.epoch;

/** Waits until every transaction of the server up to this one has ended, of other tests' databases too. */
const untilPast = (xid: string, from: string) =>
  vi.waitFor(
    async () => {
      const { rows } = await api.pool.query(
        `select ${xid} < pg_snapshot_xmin(pg_current_snapshot()) as past from ${from}`,
      );
      expect(rows).toEqual([{ past: true }]);
    },
    { timeout: 20_000, interval: 5 },
  );

/** Ends the connection of each feed of this database. */
const killFeeds = () =>
  api.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [feedName],
  );

/** A bare connection, as psql has one. */
async function withHand<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(api.pool.options as pg.ClientConfig);
  await client.connect();
  return work(client).finally(() => client.end());
}

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

test('whatever order transactions commit in, each of their changes is heard, and none that was taken back', async () => {
  const seed = Number(process.env.FIRE_SEED ?? Date.now() % 1_000_000);
  const feed = await startFeed();
  const connections = 8;
  const kept = new Set<string>();
  const takenBack = new Set<string>();

  async function run(connection: number): Promise<void> {
    const plans = fc.sample(plan, { seed: seed + connection, numRuns: 450 });
    await withHand(async (client) => {
      for (const [number, each] of plans.entries()) {
        const write = (part: string, count: number, stays: boolean) => {
          const topics = Array.from({ length: count }, (_, index) => `${connection}.${number}.${part}.${index}`);
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
    Array.from({ length: connections }, async (_, connection) => {
      await run(connection);
      await feed.catchUp();
    }),
  );
  const heard = new Set(feed.heard);
  const because = `FIRE_SEED=${seed}`;
  expect(
    [...kept].filter((topic) => !heard.has(topic)),
    because,
  ).toEqual([]);
  expect(
    [...heard].filter((topic) => takenBack.has(topic)),
    because,
  ).toEqual([]);
  // Not by having been told that anything may have changed.
  expect(heard.has('everything'), because).toBe(false);
  expect(kept.size).toBeGreaterThan(15_000);
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

test('having been away for longer than changes are kept, it tells that everything may have changed', async () => {
  const feed = await startFeed();
  // Some transactions further than it has looked.
  await api.pool.query('update change_feed set kept_from = (pg_current_xact_id()::text::bigint + 3)::text::xid8');
  await feed.catchUp();
  expect(feed.heard).toEqual(['everything']);
  for (let each = 0; each < 4; each += 1) await announce('passing by');
  // Whoever else is at work on this server holds back what every snapshot begins with.
  await untilPast('kept_from', 'change_feed');
  await feed.catchUp();
  const before = feed.heard.length;
  await announce('again told by name');
  await feed.catchUp();
  expect(feed.heard.slice(before)).toEqual(['again told by name']);
});

test('catching up waits for a look that is begun after it was asked for', async () => {
  const feed = await startFeed();
  const letGo = feed.holdLooks();
  const looksBefore = feed.looks.length;
  await vi.waitFor(() => expect(feed.looks.length).toBe(looksBefore + 1), { timeout: 5_000, interval: 1 });
  // The look under way has its snapshot already, or has it any moment: it answers for nobody who asks now.
  let caughtUpAt = 0;
  const caughtUp = feed.catchUp().then(() => {
    caughtUpAt = feed.looks.length;
  });
  await announce('after the look began');
  expect([feed.looks.length, caughtUpAt]).toEqual([looksBefore + 1, 0]);
  letGo();
  await caughtUp;
  expect(caughtUpAt).toBe(looksBefore + 2);
  expect(feed.heard).toContain('after the look began');
});

test('all who wait while a look is under way share the next one', async () => {
  const feed = await startFeed();
  const letGo = feed.holdLooks();
  const first = feed.catchUp();
  await vi.waitFor(() => expect(feed.looks.length).toBeGreaterThan(1), { timeout: 5_000, interval: 1 });
  const before = feed.looks.length;
  const waiting = Array.from({ length: 100 }, () => feed.catchUp());
  letGo();
  await Promise.all([first, ...waiting]);
  expect(feed.looks.length - before).toBeLessThanOrEqual(2);
});

/** How long after its last look the feed begins the next, where something is done at once after that last one. */
async function timeToNextLook(feed: WatchedFeed, work: () => Promise<unknown>): Promise<number> {
  const before = feed.looks.length;
  await vi.waitFor(() => expect(feed.looks.length).toBeGreaterThan(before), { timeout: 5_000, interval: 1 });
  const { length } = feed.looks;
  const start = performance.now();
  await work();
  await vi.waitFor(() => expect(feed.looks.length).toBeGreaterThan(length), { timeout: 5_000, interval: 1 });
  return (feed.looks[length] ?? Number.NaN) - start;
}

test('told by another process it looks at once, and else by itself', async () => {
  const feed = await startFeed();
  const other = await startFeed();
  const told: number[] = [];
  const untold: number[] = [];
  for (let each = 0; each < 3; each += 1) {
    told.push(await timeToNextLook(feed, () => other.catchUpAndTell()));
    untold.push(await timeToNextLook(feed, () => other.catchUp()));
  }
  // Of a machine that is busy with other things, the best try.
  expect(Math.min(...told)).toBeLessThan(100);
  expect(Math.min(...untold)).toBeGreaterThan(liveLimits.lookMs / 2);
});

test('what is written by hand is heard without anybody telling', async () => {
  const feed = await startFeed();
  const tries: number[] = [];
  for (let each = 0; each < 3; each += 1) {
    feed.heard.length = 0;
    await withHand((client) => client.query('insert into payment_types (name) values ($1)', [`À la main ${each}`]));
    const start = performance.now();
    await until(feed, 'payment-types');
    tries.push(performance.now() - start);
  }
  expect(Math.min(...tries)).toBeLessThan(liveLimits.lookMs + 100);
});

test('a look that hangs ends what is answered from memory; answers come from the database then', async () => {
  const { id } = await buildPaymentType(api.db, 'Avant');
  const first = await api.client().get('/api/payment-types');
  // Whether what was read first still holds, without a word to the feed.
  const askAgain = async () => {
    const headers = { 'if-none-match': String(first.headers.etag) };
    return (await request(api.app, { method: 'GET', url: '/api/payment-types', headers })).statusCode;
  };
  await withHand(async (hand) => {
    await hand.query("set guichet.quiet = 'on'");
    await hand.query("update payment_types set name = 'Après' where id = $1", [id]);
    // From memory: what nobody announced is not seen.
    expect(await askAgain()).toBe(304);
    await hand.query('begin; lock table changes in access exclusive mode');
    await vi.waitFor(() => expect(api.app.changeFeed.isLive()).toBe(false), {
      timeout: liveLimits.trustMs + 2_000,
      interval: 2,
    });
    expect(await askAgain()).toBe(200);
    await hand.query('rollback');
  });
  await untilLive(api.app.changeFeed);
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

test('only what is old is deleted, and the feed says from where on it is whole', async () => {
  const snapshot = async () =>
    (await api.pool.query<{ now: string }>('select pg_current_snapshot()::text as now')).rows[0]?.now;
  const list = async () => {
    const { rows } = await api.pool.query<{ topic: string }>("select topic from changes where topic like 'prune %'");
    return rows.map(({ topic }) => topic).sort();
  };
  // A transaction that was open at that time, and has written before it.
  await withHand(async (hand) => {
    await announce('prune old');
    await untilPast('xid', "changes where topic = 'prune old'");
    await hand.query("begin; insert into changes (topic) values ('prune open')");
    const then = await snapshot();
    await announce('prune young');
    await hand.query('commit');
    const snapshots = [then];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const pruning = pruneChanges(api.pool, () => snapshots.shift() ?? '99999999:99999999:');
    try {
      pruning.start();
      vi.advanceTimersByTime(liveLimits.keptMs);
      expect(await list()).toEqual(['prune old', 'prune open', 'prune young']);
      vi.advanceTimersByTime(liveLimits.pruneMs);
      await vi.waitFor(async () => expect(await list()).not.toContain('prune old'), { timeout: 10_000, interval: 5 });
    } finally {
      pruning.stop();
      vi.useRealTimers();
    }
    expect(await list()).toEqual(['prune open', 'prune young']);
    const { rows } = await api.pool.query('select kept_from = pg_snapshot_xmin($1) as moved from change_feed', [then]);
    expect(rows).toEqual([{ moved: true }]);
  });
});
