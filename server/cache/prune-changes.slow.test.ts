import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type WatchedFeed, watchFeed } from '#server/testing/watched-feed.ts';
import { feedLimits, prune, pruneChanges } from './change-feed.ts';

let api: TestApi;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  api = await startTestApi();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => api.close());

async function startFeed(times?: { lookMs: number }): Promise<WatchedFeed> {
  const feed = watchFeed(api, times);
  ends.push(() => feed.stop());
  feed.start();
  await eventually(() => expect(feed.isLive()).toBe(true));
  return feed;
}

/** A bare connection, as psql has one, with a transaction open. */
async function begin(): Promise<pg.Client> {
  const client = new pg.Client(api.config);
  await client.connect();
  ends.push(() => client.end());
  await client.query('begin; select pg_current_xact_id()');
  return client;
}

const insert = 'insert into changes (topic) values ($1)';
const announce = (topic: string) => api.pool.query(insert, [topic]);
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

/** As a dashboard does it: in transactions of a thousand rows. */
const announceManyThousand = (thousands: number, like: string) =>
  api.pool.query(`do $$ begin
    for each in 1..${thousands} loop
      insert into changes (topic) select '${like} ' || one from generate_series(1, 1000) one;
      commit;
    end loop;
  end $$`);

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}
/** How many rows of the table a plan has read. */
const rowsRead = (plan: Plan): number =>
  (plan['Relation Name'] === 'changes'
    ? plan['Actual Loops'] *
      (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0))
    : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);

test.each(['force_custom_plan', 'force_generic_plan'])(
  'behind a transaction that stays open, a look reads what is new and no more (%s)',
  async (mode) => {
    const feed = await startFeed();
    const open = await begin();
    await open.query("insert into changes (topic) select 'open ' || one from generate_series(1, 1000) one");
    await announceManyThousand(100, 'behind');
    await feed.catchUp();
    const before = feed.looks.length;
    await feed.catchUp();
    const look = feed.looks[before];
    await announce('news');
    const hand = await begin();
    await hand.query(`set local plan_cache_mode = ${mode}; prepare look as ${look?.text}`);
    const { rows } = await hand.query(`explain (analyze, format json) execute look('${look?.values?.[0]}')`);
    // Of the 101,000 that are there.
    expect(rowsRead(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(100);
  },
);

test('while a transaction stays open, all that others announced is deleted when it is old, however much', async () => {
  const feed = await startFeed();
  await begin();
  await announceManyThousand((2 * feedLimits.prunedAtOnce) / 1_000, 'others');
  await feed.catchUp();
  const then = await remember();
  await announce('others young');
  await feed.catchUp();
  const before = feed.heard.length;
  await prune(api.pool, then);
  expect(await list('others %')).toEqual(['others young']);
  await feed.catchUp();
  expect(feed.heard.slice(before)).toEqual([]);
});

test('what a transaction announces that stayed open over a pruning is heard by every process, and deleted later', async () => {
  const feeds = [await startFeed(), await startFeed()];
  const catchUp = () => Promise.all(feeds.map((feed) => feed.catchUp()));
  const open = await begin();
  await open.query(insert, ['late first']);
  await announce('early');
  const then = await remember();
  await catchUp();
  await prune(api.pool, then);
  expect(await list('early')).toEqual([]);
  feeds.push(await startFeed());
  await open.query(insert, ['late second']);
  await open.query('commit');
  // Somebody prunes again by a snapshot in which it was open.
  await prune(api.pool, then);
  await catchUp();
  for (const feed of feeds) {
    expect(feed.heard.filter((topic) => topic.startsWith('late')).sort()).toEqual(['late first', 'late second']);
    expect(feed.heard).not.toContain('everything');
  }
  expect(await list('late %')).toEqual(['late first', 'late second']);
  await prune(api.pool, await remember());
  expect(await list('late %')).toEqual([]);
});

test('who was away when a transaction ended that they had seen open, and its changes were deleted, is told', async () => {
  // Each look is asked for, so that none is counted for another.
  const feed = await startFeed({ lookMs: 3_600_000 });
  const open = await begin();
  await open.query(insert, ['missed']);
  // The newest number: no snapshot ends later when the open one has ended.
  await announce('the newest');
  await feed.catchUp();
  const before = feed.answered();
  const letGo = feed.holdLooks();
  const away = feed.catchUp();
  await eventually(() => expect(feed.answered()).toBeGreaterThan(before));
  await open.query('commit');
  const { rows } = await api.pool.query<{ now: string }>('select pg_current_snapshot()::text as now');
  await prune(api.pool, rows[0]?.now ?? '');
  expect(await list('missed')).toEqual([]);
  letGo();
  await away;
  await feed.catchUp();
  expect(feed.heard).toContain('everything');
  expect(feed.heard).not.toContain('missed');
});

test('it goes by where the feed was minutes ago, and by nothing of another life', async () => {
  const feed = await startFeed();
  await announce('timed old');
  const then = await remember();
  await announce('timed young');
  await feed.catchUp();
  const ahead = { life: 'this', snapshot: '999999999999:999999999999:' };
  const positions = [ahead, { life: 'that', snapshot: then }];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const pruning = pruneChanges(api.pool, () => positions.shift() ?? { ...ahead, life: 'that' });
  try {
    pruning.start();
    vi.advanceTimersByTime(feedLimits.keptMs + feedLimits.pruneMs);
    expect(await list('timed %')).toEqual(['timed old', 'timed young']);
    vi.advanceTimersByTime(feedLimits.pruneMs);
    await eventually(async () => expect(await list('timed old')).toEqual([]));
  } finally {
    pruning.stop();
    vi.useRealTimers();
  }
  expect(await list('timed %')).toEqual(['timed young']);
});

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
    {
      numRuns: 60,
      interruptAfterTimeLimit: 50_000,
    },
  );
});
