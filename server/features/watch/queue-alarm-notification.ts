import type { Db } from '#server/database/connect.ts';
import { addJob } from '#server/database/define-job.ts';
import { queueSms } from '#server/features/sms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import { type AlarmNotification, alarmNotification, smsOf } from './alarm-words.ts';
import type { Webhook } from './call-webhook.ts';
import { countAlarmSms } from './store.ts';

/** The recipients of alarms. */
export interface AlarmChannels {
  /** E.164. */
  phones: readonly string[];
  webhook?: Webhook | undefined;
}

/** Calls the webhook with news of an alarm. */
export const webhookJob = { name: 'call_alarm_webhook', payload: alarmNotification };

/**
 * Queues a call of the webhook for each alarm, and a message to each number, in the caller's transaction. Messages stop at
 * the day's cap, the first alarms first.
 */
export async function queueAlarmNotification(
  tx: Db,
  { phones, webhook }: AlarmChannels,
  all: readonly AlarmNotification[],
): Promise<void> {
  if (webhook) for (const news of all) await tx.ask(addJob(webhookJob, news, { attempts: tellLimits.webhookAttempts }));
  let sent = phones.length > 0 ? await countAlarmSms(tx) : 0;
  for (const news of all)
    for (const to of phones) {
      if (sent >= atMost(news)) break;
      sent += 1;
      await queueSms(tx, { to, text: smsOf(news), kind: 'alarm', lifetimeSeconds: tellLimits.smsLifetimeSeconds });
    }
}

/** How many messages a day may have brought after this one. */
function atMost({ level, state }: AlarmNotification): number {
  const { smsPerDay, smsKeptForCritical } = tellLimits;
  return level === 'critical' && state === 'raised' ? smsPerDay : smsPerDay - smsKeptForCritical;
}
