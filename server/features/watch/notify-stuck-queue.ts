import type { Db } from '#server/database/connect.ts';
import { notificationOf } from './alarm-words.ts';
import { callWebhook, type Webhook } from './call-webhook.ts';
import { queueAlarmNotification } from './queue-alarm-notification.ts';
import { recordNotified, recordUnnotified } from './store.ts';

/**
 * Notifies that the queue stands still, once, and not through the queue: one process calls the webhook itself. Messages to
 * phones are queued all the same and leave when it goes on. Throws when the call fails; the next look tries again.
 */
export async function notifyStuckQueue(
  db: Db,
  { phones, webhook }: { phones: readonly string[]; webhook: Webhook },
  publicUrl: string | undefined,
): Promise<void> {
  const alarm = await recordNotified(db, 'queue');
  if (!alarm) return;
  const news = notificationOf(alarm, 'raised');
  await callWebhook(webhook, { ...news, url: publicUrl }).catch(async (error: unknown) => {
    await recordUnnotified(db, alarm.key);
    throw error;
  });
  await db.transaction((tx) => queueAlarmNotification(tx, { phones }, [news]));
}
