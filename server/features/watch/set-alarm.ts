import type { Db } from '#server/database/connect.ts';
import { clearAlarm, raiseAlarm } from '#server/features/alarms/store.ts';
import type { Level } from './levels.ts';

/** Raises an alarm at this level, or takes it back where there is none. */
export async function setAlarm(db: Db, key: string, level: Level | undefined, message: () => string): Promise<void> {
  if (level) await raiseAlarm(db, { key, level, message: message() });
  else await clearAlarm(db, key);
}
