import { asc, desc, isNotNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { SmsSettingsForm } from '#contract/sms.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { int, text } from '#server/database/row-kinds.ts';
import { none, statement } from '#server/database/statement.ts';
import { deleteBatch } from '#server/database/store.ts';
import { retentionSeconds } from '#server/process/limits.ts';
import { panelSmsLimits, sendingCaps } from '#server/process/sending-limits.ts';
import { countMessage, dialCodeOf, type SmsClass } from './caps.ts';
import type { CodeSource } from './code-limits.ts';
import { smsGateways, smsMessages, smsSettings } from './tables.ts';

export interface OutgoingSms {
  /** E.164. */
  to: string;
  text: string;
  kind: (typeof smsMessages.$inferSelect)['kind'];
  /** The flow whose code it carries. */
  flowId?: string;
  /** Of a code: whether it goes to a verified number, or to a browser that signed in before. */
  isTrusted?: boolean;
  /** Of a code: who asked for it, where that is known. */
  source?: CodeSource | undefined;
  lifetimeSeconds: number;
}

/** Sends a message; only SQL queues it, beside the message's row. */
export const smsJob = { name: 'send_sms', payload: z.object({ id: z.int() }) };

/** The job queue's order, in SQL: codes first, since people wait for them, then other jobs, then decisions. */
export const smsPriority = "case kind when 'decision' then 1 else -1 end";

const queueing = statement(none)(`
  with message as (
    insert into sms_messages (recipient, body, kind, flow_id, drop_after, is_trusted, source_address, source_network)
    values ($1, $2, $3, $4, now() + make_interval(secs => $5::float8), $6, $7, $8)
    returning id, kind)
  select graphile_worker.add_job('${smsJob.name}', json_build_object('id', id), priority => ${smsPriority}) from message`);

/**
 * Queues a message to be sent if this transaction commits, within `lifetimeSeconds`. Answers false, and queues nothing,
 * without room in the day's caps, where these hold (`limited`). Others who queue wait for the transaction's end.
 */
export async function queueSms(db: Db, message: OutgoingSms, { limited = true } = {}): Promise<boolean> {
  const { to, text, kind, flowId = null, isTrusted = false, source, lifetimeSeconds } = message;
  const counted = await countMessage(db, dialCodeOf(to), { limited, smsClass: classOf(message) });
  if (counted)
    await db.ask(
      queueing(to, text, kind, flowId, lifetimeSeconds, isTrusted, source?.address ?? null, source?.network ?? null),
    );
  return counted;
}

function classOf({ kind, isTrusted }: OutgoingSms): SmsClass | undefined {
  if (kind === 'code') return isTrusted ? 'trusted' : 'signup';
  return kind === 'decision' ? 'decision' : undefined;
}

const expiring = statement({ id: int })(`
  update sms_messages set status = 'expired', body = null
  where id in (select id from sms_messages where status = 'queued' and drop_after < now() order by id limit $1)
    and status = 'queued'
  returning id`);

/** Ends messages that were not sent in time and wipes their text, `limit` at most; answers how many. Their jobs have died. */
export async function expireSms(db: Db, limit: number): Promise<number> {
  const [expired] = await db.ask(expiring(limit));
  return expired.length;
}

/** Deletes the traces of old messages, `limit` at most; answers how many. */
export async function deleteExpiredSms(db: Db, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: smsMessages,
    key: smsMessages.id,
    where: lt(smsMessages.createdAt, sql`now() - make_interval(secs => ${retentionSeconds.sms})`),
    limit,
  });
}

const deletingDays = statement({ day: text })(`
  delete from sms_days where ctid = any(array(
    select ctid from sms_days where day < now() at time zone 'UTC' - make_interval(secs => ${retentionSeconds.sms}) limit $1))
  returning day::text`);

/** Deletes the counts of days whose messages are gone, `limit` at most; answers how many. */
export async function deleteOldSmsDays(db: Db, limit: number): Promise<number> {
  const [days] = await db.ask(deletingDays(limit));
  return days.length;
}

export type GatewayRow = typeof smsGateways.$inferSelect;
/** What is set, and since when: null while nothing is. */
export type SettingsRow = SmsSettingsForm & { updatedAt: Date | null };

/** The gateways that are set, in the order in which the settings name them. */
export async function listGateways(db: Db): Promise<GatewayRow[]> {
  return db.select().from(smsGateways).where(isNotNull(smsGateways.position)).orderBy(asc(smsGateways.position));
}

/** The last messages, newest first; what they said is not read. */
export async function listDeliveries(db: Db) {
  const { id, recipient, kind, status, provider, failure, delivery, deliveredAt, sentAt, createdAt } = smsMessages;
  return db
    .select({ id, recipient, kind, status, provider, failure, delivery, deliveredAt, sentAt, createdAt })
    .from(smsMessages)
    .orderBy(desc(smsMessages.id))
    .limit(panelSmsLimits.deliveries);
}

/** What is set; until somebody sets something, what holds without. */
export async function readSettings(db: Db): Promise<SettingsRow> {
  const { perDay, perCountryAndDay, onDecision, updatedAt } = smsSettings;
  const [row] = await db.select({ perDay, perCountryAndDay, onDecision, updatedAt }).from(smsSettings);
  const { perDay: all, perCountryAndDay: each } = sendingCaps;
  return row ?? { perDay: all, perCountryAndDay: each, onDecision: false, updatedAt: null };
}

/** As `readSettings`, and nobody else changes them until the transaction ends; they can be read meanwhile. */
export async function lockSettings(tx: Db): Promise<SettingsRow> {
  await tx.execute(sql`lock table ${smsSettings} in share row exclusive mode`);
  return readSettings(tx);
}

export async function writeSettings(tx: Db, settings: SmsSettingsForm): Promise<SettingsRow> {
  const set = { ...settings, updatedAt: nextVersion(smsSettings.updatedAt) };
  await tx.insert(smsSettings).values(settings).onConflictDoUpdate({ target: smsSettings.id, set });
  return readSettings(tx);
}
