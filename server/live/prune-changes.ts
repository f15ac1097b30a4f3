import type pg from 'pg';
import { liveLimits } from '#server/process/limits.ts';

/**
 * Deletes announced changes when everybody has had minutes to hear of them, and writes down from which transaction on they are
 * there: whoever was away for longer, by the database's own count, knows that it missed some.
 */
const pruneText = `
  with gone as (delete from changes where xid < pg_snapshot_xmin($1::pg_snapshot))
  update change_feed set kept_from = pg_snapshot_xmin($1::pg_snapshot) where kept_from < pg_snapshot_xmin($1::pg_snapshot)`;

/** Prunes again and again from `start` on, to where `readSnapshot` said that the feed was some minutes ago. */
export function pruneChanges(pool: pg.Pool, readSnapshot: () => string | undefined) {
  const snapshots: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const prune = () => {
    const snapshot = readSnapshot();
    // Of another life of the server, maybe.
    if (!snapshot) snapshots.length = 0;
    else snapshots.push(snapshot);
    if (snapshots.length <= liveLimits.keptMs / liveLimits.pruneMs) return;
    // What fails is tried again with the next.
    pool.query(pruneText, [snapshots.shift()]).catch(() => {});
  };
  return {
    start: () => {
      timer ??= setInterval(prune, liveLimits.pruneMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
