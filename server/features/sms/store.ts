import { lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch } from '#server/database/delete-batch.ts';
import { jobLimits, retentionSeconds } from '#server/process/limits.ts';
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

/**
 * Queues a message in the caller's transaction: it is sent if, and only if, that transaction commits, and never after
 * `lifetimeSeconds`.
 */
export async function queueSms(db: Db, message: OutgoingSms): Promise<void> {
  const [row] = await db
    .insert(smsMessages)
    .values({
      recipient: message.to,
      body: message.text,
      kind: message.kind,
      flowId: message.flowId ?? null,
      dropAfter: sql`now() + make_interval(secs => ${message.lifetimeSeconds})`,
    })
    .returning({ id: smsMessages.id });
  await db.execute(
    sql`select graphile_worker.add_job('send_sms', json_build_object('id', ${row?.id}::int), max_attempts => ${jobLimits.smsAttempts})`,
  );
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
