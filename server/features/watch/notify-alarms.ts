import type { Db } from '#server/database/connect.ts';
import { notificationOf } from './alarm-words.ts';
import { type AlarmChannels, queueAlarmNotification } from './queue-alarm-notification.ts';
import { listUnnotified, markNotified, takeTurnToNotify } from './store.ts';

/**
 * Notifies every raised alarm that was not notified yet: a message to each number and a call of the webhook. Queueing and
 * recording are one transaction, so that each alarm is notified once per level by any number of processes. The end of an
 * alarm that ends meanwhile is notified as well. Without recipients alarms stay open for later ones.
 */
export async function notifyAlarms(db: Db, channels: AlarmChannels): Promise<void> {
  if (channels.phones.length === 0 && !channels.webhook) return;
  await db.transaction(async (tx) => {
    await takeTurnToNotify(tx);
    const untold = await listUnnotified(tx);
    if (untold.length === 0) return;
    await queueAlarmNotification(
      tx,
      channels,
      untold.map((alarm) => notificationOf(alarm, 'raised')),
    );
    // After it: who queues messages takes the count of the day before the alarm of its cap.
    const ended = await markNotified(tx, untold);
    await queueAlarmNotification(
      tx,
      channels,
      ended.map((alarm) => notificationOf(alarm, 'ended')),
    );
  });
}
