import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Connection, DatabaseClient } from '#server/database/connect.ts';

/** How a process hears that what it keeps no longer holds. */
export const feedLimits = {
  /** How often the change feed is read without a notification. */
  lookMs: 500,
  /** Without a look for so long nothing is answered from memory: what it would answer may be a second old. */
  trustMs: 900,
  /** Other processes are notified of changes this often at most. */
  tellMs: 10,
  /** A look takes a millisecond; after so long its connection is given up. */
  lookAtMostMs: 4_000,
  /** Between two tries to reach the database. */
  retryMs: 250,
  /** Announced changes are kept so long: a process that has not looked for longer forgets everything. */
  keptMs: 2 * 60_000,
  /** How often older ones are deleted. */
  pruneMs: 30_000,
  /** In one statement, so that it ends well before the statement's limit. */
  prunedAtOnce: 50_000,
  /** More different changes between two looks are as good as all. */
  topicsAtOnce: 20_000,
} as const;

/** Receives changed topics of `contract/topics.ts`, or that the changes are unknown. */
export type ChangeListener = (topics: readonly string[] | 'everything') => void;

export interface ChangeFeed {
  /** Calls the listener with all that was committed, by whomever, and with `minute` when one begins. */
  listen(listener: ChangeListener): void;
  /** Whether all that was committed up to a moment ago has been heard. Where it was not, nothing may be answered from memory. */
  isLive(): boolean;
  /** Since the last look was begun whose changes have been heard; endless while the feed is lost. */
  secondsSinceLook(): number;
  /** Resolves when all that was committed before the call has been heard, or nothing is answered from memory any more. */
  catchUp(): Promise<void>;
  /** As `catchUp`, after a commit: it notifies other processes too. */
  catchUpAndTell(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const channel = 'guichet_look';

/** Under which the server knows the connection that looks. */
export const feedName = 'guichet feed';

/** Where this process has got to: all that is visible in the snapshot has been heard. */
interface Position {
  life: string;
  snapshot: string;
}

/**
 * Of which life of the table of changes its rows are. The row's epoch is another one after a crash, which empties both tables;
 * but a dump carries it, so the rest is what no dump does: another file when the table was dropped, truncated or is of another
 * database, another start when the server's files were put back.
 */
const lifeText = `concat_ws(' ', epoch, pg_relation_filepath('change_feed'), extract(epoch from pg_postmaster_start_time()))`;

/**
 * The rows that became visible since the last look, in one statement and so in one snapshot. They are those of transactions
 * begun since, and of those that were under way then and have ended. Whatever the order of commits, each row is new to
 * exactly one look. A transaction that stays open makes no look read a row again. The upper bound leaves nothing out;
 * without it the planner would rather read the whole table than the end of its index.
 */
const lookText = `
  select ${lifeText} as life, pg_current_snapshot()::text as snapshot,
         kept_from < pg_snapshot_xmax($1::pg_snapshot) as complete,
         array(
           select topic from changes
           where xid >= pg_snapshot_xmax($1::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())
           union
           select topic from changes
           where xid = any(array(
             select ended from pg_snapshot_xip($1::pg_snapshot) ended where pg_visible_in_snapshot(ended, pg_current_snapshot())
           ))
           limit ${feedLimits.topicsAtOnce + 1}
         ) as topics
  from change_feed`;

const minuteOf = () => Math.floor(Date.now() / 60_000);

/** Reads where the feed stands; after a crash, which has emptied its tables, it begins a new life. */
async function join(client: pg.Client): Promise<Position> {
  // All there is of this life is kept so far. What a dump of another server left may be ahead of all transactions of this one.
  await client.query(`
    insert into change_feed (kept_from) values (pg_snapshot_xmin(pg_current_snapshot()))
    on conflict ("only") do update set epoch = default, kept_from = excluded.kept_from
    where change_feed.kept_from > pg_snapshot_xmax(pg_current_snapshot())`);
  const { rows } = await client.query<Position>(
    `select ${lifeText} as life, pg_current_snapshot()::text as snapshot from change_feed`,
  );
  if (!rows[0]) throw new Error('the change feed has no row');
  return rows[0];
}

/** What became visible since a position of the same life; undefined in another life. */
async function look(client: pg.Client, from: Position) {
  const { rows } = await client.query<Position & { complete: boolean; topics: string[] }>({
    name: 'guichet-look',
    text: lookText,
    values: [from.snapshot],
  });
  const [seen] = rows;
  if (seen?.life !== from.life) return undefined;
  const isKnown = seen.complete && seen.topics.length <= feedLimits.topicsAtOnce;
  const topics: Parameters<ChangeListener>[0] = isKnown ? seen.topics : 'everything';
  return { position: seen, topics };
}

/** Waits that end early when somebody asks. */
function openPause() {
  let isAsked = false;
  let end = () => {};
  return {
    ask: () => {
      isAsked = true;
      end();
    },
    /** Forgets what was asked so far. */
    reset: () => {
      isAsked = false;
    },
    /** Resolves after so many milliseconds, or when somebody asks; at once where somebody did since `reset`. */
    async wait(ms: number): Promise<void> {
      if (isAsked || ms <= 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

/** Follows the table `changes`, on a connection of its own. Begins with `start`. */
export function openChangeFeed(
  { pool, openClient }: Pick<Connection, 'pool' | 'openClient'>,
  log: { warn(details: object, message: string): void },
  { lookMs, trustMs }: { lookMs: number; trustMs: number } = feedLimits,
): ChangeFeed {
  const me = randomUUID();
  const listeners: ChangeListener[] = [];
  /** Those who wait for a poll that is begun from now on. */
  let waiting: (() => void)[] = [];
  let position: Position | undefined;
  /** When the last poll was begun whose changes have been heard. */
  let lookedAt = Number.NEGATIVE_INFINITY;
  let minute = minuteOf();
  let mustTell = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  const pause = openPause();

  const tellListeners: ChangeListener = (topics) => {
    for (const listener of listeners) listener(topics);
  };
  const forget = () => {
    lookedAt = Number.NEGATIVE_INFINITY;
    tellListeners('everything');
  };

  async function poll(client: pg.Client, from: Position): Promise<Position> {
    const startedAt = performance.now();
    const seen = await look(client, from);
    if (!seen) {
      forget();
      return join(client);
    }
    if (seen.topics.length > 0) tellListeners(seen.topics);
    if (minuteOf() !== minute) tellListeners(['minute']);
    minute = minuteOf();
    lookedAt = startedAt;
    return seen.position;
  }

  /** Until the connection breaks, or the process stops. */
  async function follow(client: DatabaseClient): Promise<void> {
    // Behind a pooler nothing is heard on a connection.
    if (client.isDirect) {
      client.on('notification', ({ payload }) => payload !== me && pause.ask());
      await client.query(`listen ${channel}`);
    }
    // node-postgres wants one statement at a time on a connection.
    const inTurn = pLimit(1);
    const tellOthers = sayAtTimes((text) => inTurn(() => client.query(text)), me);
    position = await join(client);
    while (!stopped) {
      pause.reset();
      const heard = waiting;
      const tell = mustTell;
      waiting = [];
      mustTell = false;
      try {
        const from: Position = position;
        position = await inTurn(() => poll(client, from));
      } finally {
        for (const resolve of heard) resolve();
      }
      if (tell) tellOthers();
      if (!stopped) await pause.wait(lookedAt + lookMs - performance.now());
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let client: DatabaseClient | undefined;
      let broken: unknown;
      try {
        client = await openClient({ application_name: feedName, query_timeout: feedLimits.lookAtMostMs }, pause.ask);
        // Looks are many and alike: to plan each anew takes as long as to run it.
        await client.query('set plan_cache_mode = force_generic_plan');
        await follow(client);
      } catch (error) {
        broken = error;
      }
      if (position && !stopped) log.warn({ err: broken }, 'change feed lost: nothing is answered from memory');
      position = undefined;
      forget();
      for (const resolve of waiting.splice(0)) resolve();
      pause.reset();
      // What waits for an answer that does not come would wait on.
      await Promise.race([client?.end().catch(() => {}), pause.wait(feedLimits.retryMs)]);
      if (!stopped) await pause.wait(feedLimits.retryMs);
    }
  }

  const pruning = pruneChanges(pool, () => position);
  const catchUp = () => {
    if (position === undefined || stopped) return Promise.resolve();
    const done = new Promise<void>((resolve) => waiting.push(resolve));
    pause.ask();
    return done;
  };
  return {
    listen: (listener) => void listeners.push(listener),
    isLive: () => performance.now() - lookedAt < trustMs,
    secondsSinceLook: () => (performance.now() - lookedAt) / 1_000,
    catchUp,
    catchUpAndTell() {
      mustTell = true;
      return catchUp();
    },
    start() {
      running ??= run();
      pruning.start();
    },
    async stop() {
      stopped = true;
      pruning.stop();
      pause.ask();
      await running;
    },
  };
}

/** Tells other processes to look. Outside of the changing transactions: of those that notify PostgreSQL commits one at a time. */
function sayAtTimes(query: (text: string) => Promise<unknown>, me: string): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      query(`begin; set local synchronous_commit = off; select pg_notify('${channel}', '${me}'); commit`).catch(
        () => {},
      );
    }, feedLimits.tellMs).unref();
  };
}

/** The end of the newest snapshot used for pruning: a process whose last look has a later end saw all rows that are deleted. */
const noteText = `
  update change_feed set kept_from = pg_snapshot_xmax($1::pg_snapshot) where kept_from < pg_snapshot_xmax($1::pg_snapshot)`;

/** Deletes what was visible in a snapshot. Rows of transactions open then stay: a process may not have read them yet. */
const deleteText = `
  delete from changes where ctid = any(array(
    select ctid from changes where xid < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(xid, $1::pg_snapshot)
    limit ${feedLimits.prunedAtOnce}
  ))`;

/** Deletes announced changes when everybody has had minutes to hear of them, since a snapshot of that time. */
export async function prune(pool: pg.Pool, snapshot: string): Promise<void> {
  // Before anything is deleted: who misses it must know.
  await pool.query(noteText, [snapshot]);
  let deleted: number | null;
  do ({ rowCount: deleted } = await pool.query(deleteText, [snapshot]));
  while (deleted === feedLimits.prunedAtOnce);
}

/** Prunes again and again from `start` on, by where `readPosition` said that the feed was some minutes ago. */
export function pruneChanges(pool: pg.Pool, readPosition: () => { life: string; snapshot: string } | undefined) {
  const positions: { life: string; snapshot: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pruneNext = () => {
    const now = readPosition();
    // Those of another life are snapshots of another server, maybe.
    if (now?.life !== positions[0]?.life) positions.length = 0;
    if (now) positions.push(now);
    const oldest = positions.length > feedLimits.keptMs / feedLimits.pruneMs ? positions.shift() : undefined;
    // What fails is tried again with the next.
    if (oldest) prune(pool, oldest.snapshot).catch(() => {});
  };
  return {
    start: () => {
      timer ??= setInterval(pruneNext, feedLimits.pruneMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
