import { asc, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { SmsSettingsForm } from '#contract/sms.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { rows } from '#server/database/rows.ts';
import { deleteBatch, isOlderThan } from '#server/database/store.ts';
import { dialCodeOf, hasRoom, lockCountry, readCapUse } from './caps.ts';
import type { CodeSource } from './code-limits.ts';
import { retentionSeconds, sendingCaps, smsLimits } from './limits.ts';
import { smsGateways, smsMessages, smsSettings } from './tables.ts';

export interface OutgoingSms {
  /** E.164. */
  to: string;
  text: string;
  kind: (typeof smsMessages.$inferSelect)['kind'];
  /** The flow whose code it carries. */
  flowId?: string;
  /** For a code: whether a known browser asked for it. */
  isKnownBrowser?: boolean;
  /** For a code: the source of the request, if it is known. */
  source?: CodeSource | undefined;
  lifetimeSeconds: number;
}

/** The job that sends a message; only `queueSms` queues it, with the message's row. */
export const smsJob = { name: 'send_sms', payload: z.object({ id: z.int() }) };

/**
 * Queues a message, to be sent within `lifetimeSeconds` if this transaction commits. Answers false, and queues nothing, for a code or a
 * decision without room in the country's cap, if caps apply (`limited`). Others who queue wait for the transaction's end. Codes precede
 * other jobs, since people wait for them; decisions follow.
 */
export async function queueSms(tx: Db, message: OutgoingSms, { limited = true } = {}): Promise<boolean> {
  const { to, text: body, kind, flowId = null, isKnownBrowser = false, source, lifetimeSeconds } = message;
  const dialCode = dialCodeOf(to);
  await lockCountry(tx, dialCode);
  const use = limited ? (await readCapUse(tx)).get(dialCode) : undefined;
  const isUnknownBrowser = kind === 'code' && !isKnownBrowser;
  if (use && (kind === 'code' || kind === 'decision') && !hasRoom(use, isUnknownBrowser)) return false;
  await tx.execute(sql`
    with message as (
      insert into sms_messages (recipient, body, kind, flow_id, drop_after, is_trusted, source_address, source_network)
      values (${to}, ${body}, ${kind}, ${flowId}, now() + make_interval(secs => ${lifetimeSeconds}), ${isKnownBrowser},
        ${source?.address ?? null}, ${source?.network ?? null})
      returning id)
    select graphile_worker.add_job(${smsJob.name}, json_build_object('id', id), max_attempts => ${smsLimits.jobAttempts}::int,
      priority => ${kind === 'decision' ? 1 : -1}::int) from message`);
  return true;
}

/** A message that waits to be sent, and whether it has expired; undefined once it was sent or given up. */
export async function findQueuedSms(db: Db, id: number) {
  const [row] = await rows<{ recipient: string; body: string; isLate: boolean }>(
    db,
    sql`select recipient, body, drop_after <= now() as "isLate" from sms_messages where id = ${id} and status = 'queued'`,
  );
  return row;
}

/** Records the end of a message and deletes its body. A sent message stays sent. */
export async function endSms(db: Db, id: number, status: 'sent' | 'failed' | 'expired'): Promise<void> {
  await db.execute(sql`
    update sms_messages set status = ${status}, body = null, sent_at = case when ${status} = 'sent' then now() end
    where id = ${id} and status <> 'sent'`);
}

/** Delays the queue's next attempt of a running job by a number of seconds, and a random part of `spreadSeconds`. */
export async function putOff(
  db: Db,
  job: string,
  { seconds, spreadSeconds }: { seconds: number; spreadSeconds: number },
): Promise<void> {
  await db.execute(sql`
    update graphile_worker._private_jobs set run_at = now() + make_interval(secs => ${seconds} + random() * ${spreadSeconds})
    where id = ${job}`);
}

/** Ends messages that were not sent in time and deletes their texts, `limit` at most; answers how many. */
export async function expireSms(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update sms_messages set status = 'expired', body = null
    where id in (select id from sms_messages where status = 'queued' and drop_after < now() order by id limit ${limit})
      and status = 'queued'`);
  return rowCount ?? 0;
}

/** Deletes old messages, `limit` at most; answers how many. */
export async function deleteExpiredSms(db: Db, limit: number): Promise<number> {
  const where = isOlderThan(smsMessages.createdAt, retentionSeconds.sms);
  return deleteBatch(db, { table: smsMessages, key: smsMessages.id, where, limit });
}

export type GatewayRow = typeof smsGateways.$inferSelect;

/** The configured gateways, in the order of the settings. */
export async function listGateways(db: Db): Promise<GatewayRow[]> {
  return db.select().from(smsGateways).orderBy(asc(smsGateways.position));
}

/** Stores the configured gateways in their order, and deletes all others; the last process to start wins. */
export async function saveGateways(db: Db, gateways: readonly { name: string; dialCodes: string[] }[]): Promise<void> {
  const names = gateways.map(({ name }) => name);
  const codes = gateways.map(({ dialCodes }) => dialCodes.join());
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${smsGateways} in share row exclusive mode`);
    await tx.execute(sql`delete from sms_gateways where name <> all(${sql.param(names)}::text[])`);
    await tx.execute(sql`
      insert into sms_gateways (name, dial_codes, position)
      select name, dial_codes, place - 1
      from unnest(${sql.param(names)}::text[], ${sql.param(codes)}::text[]) with ordinality as given (name, dial_codes, place)
      on conflict (name) do update set dial_codes = excluded.dial_codes, position = excluded.position
      where (sms_gateways.dial_codes, sms_gateways.position) is distinct from (excluded.dial_codes, excluded.position)`);
  });
}

/** Records a gateway's outcome for a message. */
export async function recordOutcome(db: Db, name: string, failure: string | undefined): Promise<void> {
  await db.execute(sql`
    update sms_gateways set
      last_sent_at = case when ${failure === undefined} then now() else last_sent_at end,
      last_failed_at = case when ${failure === undefined} then last_failed_at else now() end,
      failure = coalesce(${failure ?? null}, failure),
      failures_in_a_row = case when ${failure === undefined} then 0 else failures_in_a_row + 1 end
    where name = ${name}`);
}

/** The settings, and when they were last changed: null before the first change. */
export type SettingsRow = SmsSettingsForm & { updatedAt: Date | null };

/** The settings; before the first change, the defaults. */
export async function readSettings(db: Db): Promise<SettingsRow> {
  const { perCountryAndDay, onDecision, updatedAt } = smsSettings;
  const [row] = await db.select({ perCountryAndDay, onDecision, updatedAt }).from(smsSettings);
  return row ?? { perCountryAndDay: sendingCaps.perCountryAndDay, onDecision: false, updatedAt: null };
}

/** As `readSettings`, locked against changes until the transaction ends; others can read them meanwhile. */
export async function lockSettings(tx: Db): Promise<SettingsRow> {
  await tx.execute(sql`lock table ${smsSettings} in share row exclusive mode`);
  return readSettings(tx);
}

export async function writeSettings(tx: Db, settings: SmsSettingsForm): Promise<SettingsRow> {
  const set = { ...settings, updatedAt: nextVersion(smsSettings.updatedAt) };
  await tx.insert(smsSettings).values(settings).onConflictDoUpdate({ target: smsSettings.id, set });
  return readSettings(tx);
}
