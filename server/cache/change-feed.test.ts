import fc from 'fast-check';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { buildAdmin, buildPaymentType } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type WatchedFeed, watchFeed } from '#server/testing/watched-feed.ts';
import { type ChangeFeed, feedName, prune } from './change-feed.ts';

const feeds: WatchedFeed[] = [];
const api = await startTestApi();
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
});

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

/** A bare connection, as psql has one. */
async function withHand<T>(work: (client: pg.Client) => Promise<T>, { pool }: Pick<TestApi, 'pool'> = api): Promise<T> {
  const client = new pg.Client(pool.options as pg.ClientConfig);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** A bare connection with a transaction open. */
async function begin(): Promise<pg.Client> {
  const client = new pg.Client(api.config);
  await client.connect();
  await client.query('begin; select pg_current_xact_id()');
  return client;
}

const list = async (like: string) =>
  (
    await api.pool.query<{ topic: string }>('select topic from changes where topic like $1 order by topic', [like])
  ).rows.map(({ topic }) => topic);

/** What a feed has got to now; a transaction is done after it, so that any later one is told from it. */
async function remember(): Promise<string> {
  const { rows } = await api.pool.query<{ now: string }>('select pg_current_snapshot()::text as now');
  await announce('passing by');
  return rows[0]?.now ?? '';
}

const who = fc.nat(2);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('announce' as const), who, undone: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), who, how: fc.constantFrom('commit', 'rollback') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'remember' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('prune' as const), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('go away' as const, 'come back' as const) }) },
);

test('whatever is open, ends, is read and pruned in whatever order: nothing is missed, and nothing heard twice', async () => {
  /** One that always looks, and one that is away at times. */
  const [near, far] = [await startFeed(), await startFeed()] as const;
  const hands = await Promise.all([begin(), begin(), begin()]);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const pending = hands.map(() => ({ kept: [] as string[], undone: [] as string[] }));
      const committed = new Map<string, number>();
      const takenBack: string[] = [];
      const snapshots: string[] = [];
      const start = near.heard.length;
      let comeBack = async () => {};
      const end = async (index: number, how: string) => {
        const since = far.heard.length;
        await hands[index]?.query(`${how}; begin`);
        const ended = pending[index] ?? { kept: [], undone: [] };
        pending[index] = { kept: [], undone: [] };
        takenBack.push(...ended.undone, ...(how === 'rollback' ? ended.kept : []));
        if (how === 'commit') for (const topic of ended.kept) committed.set(topic, since);
      };
      for (const each of steps) {
        if (each.do === 'announce') {
          count += 1;
          const topic = `order ${count}`;
          const write = `insert into changes (topic) values ('${topic}')`;
          await hands[each.who]?.query(`savepoint s; ${write}; ${each.undone ? 'rollback to s' : 'release s'}`);
          pending[each.who]?.[each.undone ? 'undone' : 'kept'].push(topic);
        } else if (each.do === 'end') await end(each.who, each.how);
        else if (each.do === 'look') await near.catchUp();
        else if (each.do === 'remember') {
          snapshots.push(await remember());
          await near.catchUp();
        } else if (each.do === 'prune') {
          const snapshot = snapshots[each.which % snapshots.length];
          if (snapshot) await prune(api.pool, snapshot);
        } else if (each.do === 'come back') await comeBack();
        else {
          await comeBack();
          const before = far.looks.length;
          const letGo = far.holdLooks();
          const away = far.catchUp();
          await eventually(() => expect(far.looks.length).toBeGreaterThan(before));
          comeBack = async () => {
            comeBack = async () => {};
            letGo();
            await away;
          };
        }
      }
      for (const index of hands.keys()) await end(index, 'commit');
      await comeBack();
      await Promise.all([near.catchUp(), far.catchUp()]);
      const heardNear = near.heard.slice(start).filter((topic) => topic !== 'passing by');
      expect(heardNear.sort()).toEqual([...committed.keys()].sort());
      for (const [topic, since] of committed)
        expect(far.heard.slice(since).some((each) => each === topic || each === 'everything')).toBe(true);
      expect(far.heard.filter((topic) => takenBack.includes(topic))).toEqual([]);
      const last = await remember();
      await near.catchUp();
      await prune(api.pool, last);
      expect(await list('order %')).toEqual([]);
    }),
    { numRuns: 25 },
  );
  await Promise.all(hands.map((hand) => hand.end()));
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

test('its connection is asked one thing at a time, also while it tells others', async () => {
  const feed = await startFeed();
  for (let count = 0; count < 300; count += 1) await feed.catchUpAndTell();
  expect(feed.overlapping).toEqual([]);
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
});
