import * as z from 'zod';
import type { Db } from '#server/database/connect.ts';
import { addJob } from '#server/database/define-job.ts';
import { type Alarm, tellAlarmEndJob } from '#server/features/alarms/store.ts';
import { queueSms } from '#server/features/sms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import { callWebhook, type Webhook } from './call-webhook.ts';
import { foldToGsm7 } from './fold-to-gsm7.ts';
import {
  countAlarmSms,
  listUnnotified,
  markNotified,
  recordNotified,
  recordUnnotified,
  takeTurnToNotify,
} from './store.ts';

/** The news of an alarm: raised at a level, or ended; `since` in ISO 8601. */
export const alarmNotification = tellAlarmEndJob.payload.extend({ state: z.enum(['raised', 'ended']) });
export type AlarmNotification = z.output<typeof alarmNotification>;

export function notificationOf(
  { key, level, message, createdAt }: Alarm,
  state: AlarmNotification['state'],
): AlarmNotification {
  return { key, level, message, since: createdAt.toISOString(), state };
}

const openings = { critical: 'Guichet, urgent', warning: 'Guichet, attention', ended: 'Guichet, fini' } as const;

/** An alarm as one SMS of 160 characters at most, all of the GSM-7 alphabet. */
export function smsOf({ level, message, state }: AlarmNotification): string {
  const text = foldToGsm7(`${openings[state === 'ended' ? 'ended' : level]} : ${message}`);
  const { smsCharacters } = tellLimits;
  return text.length <= smsCharacters ? text : `${text.slice(0, smsCharacters - 3).trimEnd()}...`;
}

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
