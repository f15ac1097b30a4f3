import type pg from 'pg';
import { liveLimits } from '#server/process/limits.ts';

/**
 * The end of the newest snapshot that was used for pruning. Ends only grow from one snapshot to the next. A process whose
 * last look has a later end saw all rows that are deleted; another one may have missed some.
 */
const noteText = `
  update change_feed set kept_from = pg_snapshot_xmax($1::pg_snapshot) where kept_from < pg_snapshot_xmax($1::pg_snapshot)`;

/**
 * Deletes what was visible in a snapshot. Rows of a transaction that was under way then stay, committed since or not, since
 * a process may not have read them yet.
 */
const deleteText = `
  delete from changes where ctid = any(array(
    select ctid from changes where xid < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(xid, $1::pg_snapshot)
    limit ${liveLimits.prunedAtOnce}
  ))`;

/** Deletes announced changes when everybody has had minutes to hear of them, since a snapshot of that time. */
export async function prune(pool: pg.Pool, snapshot: string): Promise<void> {
  // Before anything is deleted: who misses it must know.
  await pool.query(noteText, [snapshot]);
  let deleted: number | null;
  do ({ rowCount: deleted } = await pool.query(deleteText, [snapshot]));
  while (deleted === liveLimits.prunedAtOnce);
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
    const oldest = positions.length > liveLimits.keptMs / liveLimits.pruneMs ? positions.shift() : undefined;
    // What fails is tried again with the next.
    if (oldest) prune(pool, oldest.snapshot).catch(() => {});
  };
  return {
    start: () => {
      timer ??= setInterval(pruneNext, liveLimits.pruneMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
