import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Connection, DatabaseClient } from '#server/database/connect.ts';

/** Times and sizes of the change feed, by which a process learns what is no longer current. */
export const feedLimits = {
  /** How often the feed is read without a notification. */
  lookMs: 500,
  /** If the last read is older than this, nothing is answered from memory, so that no answer is more than a second old. */
  trustMs: 900,
  /** Shortest time between two notifications of other processes. */
  tellMs: 10,
  /** A read takes a millisecond; after this time its connection is closed. */
  lookAtMostMs: 4_000,
  /** Pause between tries to reach the database. */
  retryMs: 250,
  /** How long announced changes are kept. A process that has not read for longer drops its whole cache. */
  keptMs: 2 * 60_000,
  /** How often older changes are deleted. */
  pruneMs: 30_000,
  /** Changes deleted in one SQL statement, well within its time limit. */
  prunedAtOnce: 50_000,
  /** With more different topics between two reads, everything counts as changed. */
  topicsAtOnce: 20_000,
} as const;

/** Receives changed topics of `contract/topics.ts`, or that the changes are unknown. */
export type ChangeListener = (topics: readonly string[] | 'everything') => void;

export interface ChangeFeed {
  /** Calls the listener with all that was committed, by whomever, and with `minute` when one begins. */
  listen(listener: ChangeListener): void;
  /** Whether the feed is current. Otherwise nothing may be answered from memory. */
  isLive(): boolean;
  /** Seconds since the start of the last completed read; infinite while the feed is down. */
  secondsSinceLook(): number;
  /** Resolves once every change committed before the call has been read, or once nothing is answered from memory. */
  catchUp(): Promise<void>;
  /** As `catchUp`, after a commit of this process; also notifies other processes. */
  catchUpAndTell(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const channel = 'guichet_look';

/** The application name of the feed's connection. */
export const feedName = 'guichet feed';

/** This process's position: everything visible in the snapshot has been read. */
interface Position {
  life: string;
  snapshot: string;
}

/**
 * Identifies a life of the table of changes. The row's epoch changes after a crash, which empties both tables, but a dump carries it. So
 * the table's file and the server's start time are added. The file changes with a drop, a truncate or another database, the start with a
 * restored data folder.
 */
const lifeText = `concat_ws(' ', epoch, pg_relation_filepath('change_feed'), extract(epoch from pg_postmaster_start_time()))`;

/**
 * The rows that became visible since the last read, in one SQL statement and so in one snapshot. They belong to transactions that began
 * since, or were running then and have ended. So each row is new to exactly one read, in any order of commits, and a long transaction
 * makes no read repeat rows. The upper bound excludes nothing; without it the planner would scan the whole table instead of the end of
 * its index.
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

/** Reads the feed's position; after a crash, which has emptied its tables, begins a new life. */
async function join(client: pg.Client): Promise<Position> {
  // No change of this life has been deleted yet. A position from another server's dump may be ahead of every transaction here.
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

/** Reads the changes and tells the listeners, with `minute` when one begins. */
function openReader() {
  const listeners: ChangeListener[] = [];
  /** The start of the last completed read. */
  let lookedAt = Number.NEGATIVE_INFINITY;
  let minute = minuteOf();
  const tellListeners: ChangeListener = (topics) => {
    for (const listener of listeners) listener(topics);
  };
  const forget = () => {
    lookedAt = Number.NEGATIVE_INFINITY;
    tellListeners('everything');
  };
  return {
    listen: (listener: ChangeListener) => void listeners.push(listener),
    ageMs: () => performance.now() - lookedAt,
    forget,
    /** Reads on from a position, and returns the next one. */
    async read(client: pg.Client, from: Position): Promise<Position> {
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
    },
  };
}

/** Follows the table of changes on a connection of its own, from `start` on. */
export function openChangeFeed(
  { pool, openClient }: Pick<Connection, 'pool' | 'openClient'>,
  log: { warn(details: object, message: string): void },
  { lookMs, trustMs }: { lookMs: number; trustMs: number } = feedLimits,
): ChangeFeed {
  const me = randomUUID();
  const reader = openReader();
  /** Callers that wait for the next read to begin. */
  let waiting: (() => void)[] = [];
  let position: Position | undefined;
  let mustTell = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  const pause = openPause();

  /** Follows the feed until the connection breaks or the process stops. */
  async function follow(client: DatabaseClient): Promise<void> {
    // A pooler does not pass on notifications.
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
        position = await inTurn(() => reader.read(client, from));
      } finally {
        for (const resolve of heard) resolve();
      }
      if (tell) tellOthers();
      if (!stopped) await pause.wait(lookMs - reader.ageMs());
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let client: DatabaseClient | undefined;
      let broken: unknown;
      try {
        client = await openClient({ application_name: feedName, query_timeout: feedLimits.lookAtMostMs }, pause.ask);
        // Planning each read anew would take as long as running it.
        await client.query('set plan_cache_mode = force_generic_plan');
        await follow(client);
      } catch (error) {
        broken = error;
      }
      if (position && !stopped) log.warn({ err: broken }, 'change feed lost: nothing is answered from memory');
      position = undefined;
      reader.forget();
      for (const resolve of waiting.splice(0)) resolve();
      pause.reset();
      // Ends the connection, so that queries waiting for an answer fail.
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
    listen: reader.listen,
    isLive: () => reader.ageMs() < trustMs,
    secondsSinceLook: () => reader.ageMs() / 1_000,
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

/** Notifies other processes, outside of the changing transactions: PostgreSQL commits notifying transactions one at a time. */
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

/** Records the end of the newest snapshot used for pruning. A process whose last read ends later has seen every deleted row. */
const noteText = `
  update change_feed set kept_from = pg_snapshot_xmax($1::pg_snapshot) where kept_from < pg_snapshot_xmax($1::pg_snapshot)`;

/** Deletes the rows visible in a snapshot. Rows of transactions open then stay, since a process may not have read them. */
const deleteText = `
  delete from changes where ctid = any(array(
    select ctid from changes where xid < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(xid, $1::pg_snapshot)
    limit ${feedLimits.prunedAtOnce}
  ))`;

/** Deletes changes announced before a snapshot that is minutes old, so that every process has read them. */
export async function prune(pool: pg.Pool, snapshot: string): Promise<void> {
  // Recorded before the deletion, so that a process that missed rows notices.
  await pool.query(noteText, [snapshot]);
  let deleted: number | null;
  do ({ rowCount: deleted } = await pool.query(deleteText, [snapshot]));
  while (deleted === feedLimits.prunedAtOnce);
}

/** Prunes periodically from `start` on, by the feed's position some minutes ago. */
export function pruneChanges(pool: pg.Pool, readPosition: () => { life: string; snapshot: string } | undefined) {
  const positions: { life: string; snapshot: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pruneNext = () => {
    const now = readPosition();
    // Positions of another life may be snapshots of another server.
    if (now?.life !== positions[0]?.life) positions.length = 0;
    if (now) positions.push(now);
    const oldest = positions.length > feedLimits.keptMs / feedLimits.pruneMs ? positions.shift() : undefined;
    // A failed deletion is repeated by the next one.
    if (oldest) prune(pool, oldest.snapshot).catch(() => {});
  };
  return {
    start: () => {
      timer ??= setInterval(pruneNext, feedLimits.pruneMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
