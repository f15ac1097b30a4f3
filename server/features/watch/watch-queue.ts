import type { Db } from '#server/database/connect.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { settle } from './settle.ts';
import { readQueue } from './store.ts';

/**
 * Looks whether jobs wait that should have begun; answers whether they do. At one look that may be what an outage or a stop
 * left behind, and is about to be done: `before` says how it was at the last one.
 */
export async function watchQueue(db: Db, before: boolean): Promise<boolean> {
  const { oldestDueSeconds } = await readQueue(db);
  const waits = oldestDueSeconds > watchLimits.stuckSeconds;
  await settle(
    db,
    'queue',
    waits && before ? 'critical' : undefined,
    () =>
      'Les tâches attendent depuis plus d’une minute : les SMS ne partent plus à temps. Redémarrez Guichet, et voyez le journal.',
  );
  return waits;
}
