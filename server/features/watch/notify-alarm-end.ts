import type { Db } from '#server/database/connect.ts';
import type { AlarmNotification } from './alarm-words.ts';
import { type AlarmChannels, queueAlarmNotification } from './queue-alarm-notification.ts';
import { takeTurnToNotify } from './store.ts';

/** Notifies the end of an alarm that was notified, through the same queue. */
export async function notifyAlarmEnd(
  db: Db,
  channels: AlarmChannels,
  ended: Omit<AlarmNotification, 'state'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurnToNotify(tx);
    await queueAlarmNotification(tx, channels, [
      { ...ended, since: new Date(ended.since).toISOString(), state: 'ended' },
    ]);
  });
}
