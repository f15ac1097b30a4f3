import type { Db } from '#server/database/connect.ts';
import type { AlarmNews } from './alarm-words.ts';
import { type AlarmChannels, queueNews } from './queue-news.ts';
import { takeTurnToTell } from './store.ts';

/** Notifies the end of an alarm that was notified, through the same queue. */
export async function tellAlarmEnd(db: Db, channels: AlarmChannels, ended: Omit<AlarmNews, 'state'>): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurnToTell(tx);
    await queueNews(tx, channels, [{ ...ended, since: new Date(ended.since).toISOString(), state: 'ended' }]);
  });
}
