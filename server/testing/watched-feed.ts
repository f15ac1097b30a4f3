import type pg from 'pg';
import pino from 'pino';
import { type ChangeFeed, feedLimits, openChangeFeed } from '#server/cache/change-feed.ts';
import type { Connection } from '#server/database/connect.ts';

export interface WatchedFeed extends ChangeFeed {
  /** All that was heard so far, word by word. */
  readonly heard: (string | 'everything')[];
  /** Each look that was begun, as it was asked for. */
  readonly looks: pg.QueryConfig[];
  /** Statements that were asked for while another one was under way on its connection. */
  readonly overlapping: unknown[];
  /** Whether the feed called itself live when it told that everything may have changed. */
  readonly liveAtEverything: boolean[];
  /** Keeps the answers of looks back that are begun from now on, until what is answered is called. */
  holdLooks(): () => void;
  /** Keeps it from connecting anew, until what is answered is called. */
  keepAway(): () => void;
}

/** A change feed as a process has one, not started yet, of which a test sees how often it looks and what it hears. */
export function watchFeed(
  { pool, openClient }: Pick<Connection, 'pool' | 'openClient'>,
  { lookMs }: { lookMs: number } = feedLimits,
): WatchedFeed {
  const heard: string[] = [];
  const looks: pg.QueryConfig[] = [];
  const overlapping: unknown[] = [];
  const liveAtEverything: boolean[] = [];
  let held = Promise.resolve();
  let isAway = false;
  const feed = openChangeFeed(
    {
      pool,
      async openClient(settings, onError) {
        if (isAway) throw new Error('the database is away');
        const client = await openClient(settings, onError);
        const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
        let underWay = 0;
        const ask = async (...given: unknown[]) => {
          if (underWay > 0) overlapping.push(given[0]);
          underWay += 1;
          return query(...given).finally(() => {
            underWay -= 1;
          });
        };
        const watched = async (...given: unknown[]) => {
          const [query] = given;
          const isLook = typeof query === 'object' && JSON.stringify(query).includes('pg_visible_in_snapshot');
          if (!isLook) return ask(...given);
          looks.push(query as pg.QueryConfig);
          const until = held;
          const answer = await ask(...given);
          await until;
          return answer;
        };
        return Object.assign(client, { query: watched });
      },
    },
    pino({ level: 'silent' }),
    // It answers nobody, so nothing hangs on when it looked last.
    { lookMs, trustMs: 60_000 },
  );
  feed.listen((topics) => {
    if (topics === 'everything') {
      heard.push(topics);
      liveAtEverything.push(feed.isLive());
    } else heard.push(...topics.filter((topic) => topic !== 'minute'));
  });
  return {
    ...feed,
    heard,
    looks,
    overlapping,
    liveAtEverything,
    holdLooks() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    keepAway() {
      isAway = true;
      return () => {
        isAway = false;
      };
    },
  };
}
