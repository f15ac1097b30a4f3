import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch } from '#server/database/delete-batch.ts';
import { smsMessages } from '#server/database/support-tables.ts';

export interface QueuedSms {
  id: number;
  recipient: string;
  body: string | null;
  expired: boolean;
}

/** A message is tried this often, with graphile-worker's growing pauses (about 3 s, then 7 s). */
export const maximumAttempts = 3;

/**
 * Queues a message in the caller's transaction: it is sent if, and only if, that transaction commits, and never after
 * `lifetime` seconds.
 */
export async function queueSms(db: Db, message: { to: string; text: string; lifetime: number }): Promise<void> {
  const [row] = await db
    .insert(smsMessages)
    .values({
      recipient: message.to,
      body: message.text,
      dropAfter: sql`now() + make_interval(secs => ${message.lifetime})`,
    })
    .returning({ id: smsMessages.id });
  await db.execute(
    sql`select graphile_worker.add_job('send_sms', json_build_object('id', ${row?.id}::int), max_attempts => ${maximumAttempts})`,
  );
}

export async function findQueuedSms(db: Db, id: number): Promise<QueuedSms | undefined> {
  const [row] = await db
    .select({
      id: smsMessages.id,
      recipient: smsMessages.recipient,
      body: smsMessages.body,
      expired: sql<boolean>`${smsMessages.dropAfter} < now()`,
    })
    .from(smsMessages)
    .where(and(eq(smsMessages.id, id), eq(smsMessages.status, 'queued')));
  return row;
}

/** Ends a message and wipes its body. */
export async function closeSms(
  db: Db,
  id: number,
  end: { status: 'sent' | 'failed' | 'expired'; provider: string; attempts: number },
): Promise<void> {
  await db
    .update(smsMessages)
    .set({ ...end, body: null, ...(end.status === 'sent' && { sentAt: sql`now()` }) })
    .where(eq(smsMessages.id, id));
}

/** Deletes the traces of messages older than 30 days, `batch` at most. */
export async function deleteOldSms(db: Db, batch: number): Promise<number> {
  return deleteBatch(db, {
    table: smsMessages,
    key: smsMessages.id,
    where: lt(smsMessages.createdAt, sql`now() - interval '30 days'`),
    limit: batch,
  });
}
