import { lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch } from '#server/database/delete-batch.ts';
import { statement } from '#server/database/statement.ts';
import { jobLimits, retentionSeconds } from '#server/process/limits.ts';
import { countMessage, dialCodeOf } from './cap-store.ts';
import { smsMessages } from './tables.ts';

export interface OutgoingSms {
  /** E.164. */
  to: string;
  text: string;
  kind: (typeof smsMessages.$inferSelect)['kind'];
  /** The flow whose code it carries. */
  flowId?: string;
  lifetimeSeconds: number;
}

const queueing = statement(`
  with message as (
    insert into sms_messages (recipient, body, kind, flow_id, drop_after)
    values ($1, $2, $3, $4, now() + make_interval(secs => $5::float8))
    returning id)
  select graphile_worker.add_job('send_sms', json_build_object('id', id), max_attempts => ${jobLimits.smsAttempts})
  from message`);

/**
 * Queues a message in the caller's transaction: it is sent if, and only if, that transaction commits, and never after
 * `lifetimeSeconds`. Answers false, and queues nothing, for a code or a decision beyond the day's caps; `limited` tells
 * whether the caps hold. Others who queue wait until the transaction ends, so this is the last thing it does.
 */
export async function queueSms(db: Db, message: OutgoingSms, { limited = true } = {}): Promise<boolean> {
  const refusable = message.kind === 'code' || message.kind === 'decision';
  const counted = await countMessage(db, dialCodeOf(message.to), { limited, refusable });
  if (counted)
    await db.ask(queueing(message.to, message.text, message.kind, message.flowId ?? null, message.lifetimeSeconds));
  return counted;
}

const expiring = statement<{ id: number }>(`
  update sms_messages set status = 'expired', body = null
  where id in (select id from sms_messages where status = 'queued' and drop_after < now() order by id limit $1)
    and status = 'queued'
  returning id`);

/** Ends messages that nobody sent in time and wipes what they said, `limit` at most; answers how many: their jobs have died. */
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
