import type { Db } from '#server/database/connect.ts';
import { queueSms } from '#server/features/sms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import { type AlarmNews, smsOf } from './alarm-words.ts';
import type { Webhook } from './call-webhook.ts';
import { countAlarmSms, listUntold, markTold, queueWebhook, takeTurnToTell } from './store.ts';

/** Who asked to be told of alarms. */
export interface AlarmChannels {
  /** E.164. */
  phones: readonly string[];
  webhook?: Webhook | undefined;
}

/** The job that calls the webhook, with its news as payload. */
export const webhookTask = 'call_alarm_webhook';

/**
 * Tells of every alarm that is up and untold: queues a message to each number and a call of the webhook, and notes it, all
 * in one transaction, so that each alarm is told once per level by however many processes. Where nobody asked to be told
 * they stay untold, for whoever asks later.
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
      untold.map(({ key, level, message, createdAt }) => ({
        key,
        level,
        message,
        since: createdAt.toISOString(),
        state: 'raised',
      })),
    );
    // Last: who queues messages takes the count of the day before the alarm of its cap.
    await markTold(
      tx,
      untold.map((alarm) => alarm.key),
    );
  });
}

/** Tells that an alarm ended, once: queues it as the alarm was. */
export async function tellAlarmEnd(db: Db, channels: AlarmChannels, ended: Omit<AlarmNews, 'state'>): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurnToTell(tx);
    await queueNews(tx, channels, [{ ...ended, state: 'ended' }]);
  });
}

async function queueNews(tx: Db, { phones, webhook }: AlarmChannels, all: AlarmNews[]): Promise<void> {
  if (webhook) for (const news of all) await queueWebhook(tx, webhookTask, news, tellLimits.webhookAttempts);
  let left = phones.length > 0 ? tellLimits.smsPerDay - (await countAlarmSms(tx)) : 0;
  for (const news of all)
    for (const to of phones) {
      if (left <= 0) return;
      left -= 1;
      await queueSms(tx, { to, text: smsOf(news), kind: 'alarm', lifetimeSeconds: tellLimits.smsLifetimeSeconds });
    }
}
