import type { Db } from '#server/database/connect.ts';
import { newsOf } from './alarm-words.ts';
import { type AlarmChannels, queueNews } from './queue-news.ts';
import { listUntold, markTold, takeTurnToTell } from './store.ts';

/**
 * Tells of every alarm that is up and untold: queues a message to each number and a call of the webhook, and notes it, all
 * in one transaction, so that each alarm is told once per level by however many processes. Of one that ends meanwhile the end
 * is told as well. Where nobody asked to be told they stay untold, for whoever asks later.
 */
export async function tellAlarms(db: Db, channels: AlarmChannels): Promise<void> {
  if (channels.phones.length === 0 && !channels.webhook) return;
  await db.transaction(async (tx) => {
    await takeTurnToTell(tx);
    const untold = await listUntold(tx);
    if (untold.length === 0) return;
    await queueNews(
      tx,
      channels,
      untold.map((alarm) => newsOf(alarm, 'raised')),
    );
    // After it: who queues messages takes the count of the day before the alarm of its cap.
    const ended = await markTold(tx, untold);
    await queueNews(
      tx,
      channels,
      ended.map((alarm) => newsOf(alarm, 'ended')),
    );
  });
}
