import type { Db } from '#server/database/connect.ts';
import { settleCapAlarms } from '#server/features/sms/cap-alarms.ts';
import { lockCapCounts } from '#server/features/sms/cap-store.ts';
import { updateBreakers } from '#server/features/sms/code-pause.ts';
import { settleSecondCodeAlarms } from './second-code.ts';

/** Ends alarms of caps, breakers and wrong codes whose cause ended while no code was requested. */
export async function settleSendingAlarms(db: Db): Promise<void> {
  await db.transaction(async (tx) => settleCapAlarms(tx, await lockCapCounts(tx), { raises: false }));
  await updateBreakers(db);
  await settleSecondCodeAlarms(db);
}
