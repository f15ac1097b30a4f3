import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { hasSmsLeft, readQueue } from './store.ts';

/**
 * Looks whether messages wait that should have left; answers whether they do. At one look that may be what an outage or a stop
 * left behind, and is about to be done: `before` says how it was at the last one. Then nothing is said, and an alarm stays up.
 */
export async function watchQueue(db: Db, before: boolean): Promise<boolean> {
  const { oldestDueSeconds } = await readQueue(db);
  const { stuckSeconds } = watchLimits;
  // A burst that leaves at its gateway's rate waits as well, and moves.
  const waits = oldestDueSeconds > stuckSeconds && !(await hasSmsLeft(db, stuckSeconds));
  if (waits && !before) return true;
  await updateAlarm(db, 'queue', { isStuck: waits });
  return waits;
}
