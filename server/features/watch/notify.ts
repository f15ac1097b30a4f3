import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Db } from '#server/database/connect.ts';
import { addJob } from '#server/database/define-job.ts';
import { type Alarm, tellAlarmEndJob } from '#server/features/alarms/store.ts';
import { queueSms } from '#server/features/sms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import {
  countAlarmSms,
  listUnnotified,
  markNotified,
  recordNotified,
  recordUnnotified,
  takeTurnToNotify,
} from './store.ts';

/** The basic alphabet of GSM 03.38, whose characters count once; those of its extension would count twice, and are left out. */
const alphabet: ReadonlySet<string> = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** What French writes that is neither a letter with a mark nor in the alphabet. */
const others: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '«': '"',
  '»': '"',
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  œ: 'oe',
  Œ: 'OE',
  ç: 'c',
  '€': 'EUR',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '·': '-',
  '→': '>',
};

/** A text in the GSM-7 alphabet, each character counting once, as near to its French as that allows; else `?`. */
export function foldToGsm7(text: string): string {
  const foldOne = (character: string): string => {
    if (alphabet.has(character)) return character;
    const other = others[character];
    if (other !== undefined) return other;
    if (/\s/u.test(character)) return ' ';
    const bare = character.normalize('NFD').replace(/\p{M}/gu, '');
    return alphabet.has(bare) ? bare : '?';
  };
  return Array.from(text.normalize('NFC'), foldOne)
    .join('')
    .replace(/" ([^"]*) "/g, '"$1"');
}

export interface Webhook {
  url: string;
  /** Signs each call, where there is one. */
  secret?: string | undefined;
}

/**
 * Posts news of an alarm as JSON, signed by the HMAC of its body in X-Guichet-Signature. Throws unless the answer is 2xx
 * within 5 s; the failure names no address, which may hold a key.
 */
export async function callWebhook({ url, secret }: Webhook, news: object, now = new Date()): Promise<void> {
  const body = JSON.stringify({ ...news, sentAt: now.toISOString() });
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(tellLimits.webhookMs),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Guichet',
      ...(secret && { 'x-guichet-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
    },
    body,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook for alarms answered ${answer.status}`);
}

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

export interface AlarmChannels {
  /** E.164. */
  phones: readonly string[];
  webhook?: Webhook | undefined;
}

export const webhookJob = { name: 'call_alarm_webhook', payload: alarmNotification };

/** Queues a webhook call per alarm, and a message per number up to the day's cap, in the caller's transaction. */
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
 * Notifies every raised alarm once per level, by messages and the webhook, in one transaction, and the end of those that
 * ended meanwhile. Without recipients alarms stay open for later ones.
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
 * Notifies once that the queue stands still: by the webhook directly, and by messages that leave when it goes on. Throws
 * when the call fails; the next look tries again.
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
