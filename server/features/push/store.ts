import { and, eq, sql } from 'drizzle-orm';
import webPush from 'web-push';
import * as z from 'zod';
import type { Db } from '#server/database/connect.ts';
import { rows } from '#server/database/rows.ts';
import { pushLimits } from './limits.ts';
import { pushKeys, pushSubscriptions } from './tables.ts';

export type PushKeys = Pick<typeof pushKeys.$inferSelect, 'publicKey' | 'privateKey'>;
type PushSubscription = Pick<typeof pushSubscriptions.$inferSelect, 'endpoint' | 'p256dh' | 'auth'>;

/** The keys that sign this installation's pushes, made at the first use; concurrent processes get the same. */
export async function requirePushKeys(db: Db): Promise<PushKeys> {
  const find = () => db.select({ publicKey: pushKeys.publicKey, privateKey: pushKeys.privateKey }).from(pushKeys);
  const [known] = await find();
  if (known) return known;
  await db.insert(pushKeys).values(webPush.generateVAPIDKeys()).onConflictDoNothing();
  const [kept] = await find();
  return kept as PushKeys;
}

/** Assigns a browser's subscription to this person, and deletes their oldest beyond the limit. False if their session has ended. */
export async function saveSubscription(
  db: Db,
  caller: { userId: number; sid: string },
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${caller.userId} for key share`);
    // The session is read under the person's lock, so that an end of their access comes before or after all of this.
    const { rowCount } = await tx.execute(sql`
      insert into push_subscriptions (user_id, endpoint, p256dh, auth)
      select user_id, ${endpoint}, ${p256dh}, ${auth} from sessions where sid = ${caller.sid} and expire > now()
      on conflict (endpoint) do update
        set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, created_at = now()`);
    await tx.execute(sql`
      delete from push_subscriptions where id in (
        select id from push_subscriptions where user_id = ${caller.userId}
        order by created_at desc, id desc offset ${pushLimits.perUser})`);
    return rowCount === 1;
  });
}

/** Deletes a subscription of this person; another person's stays. */
export async function deleteSubscription(db: Db, userId: number, endpoint: string): Promise<void> {
  await db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.endpoint, endpoint)));
}

export async function deleteUserSubscriptions(db: Db, userId: number): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId));
}

/** A browser's subscription with the newest notification of a ticket. */
export interface Push extends PushSubscription {
  userId: number;
  newsId: number;
  ticketId: number;
  type: string;
  title: string;
}

/**
 * The notification that a job pushes. Undefined if it is read or a day old, or a newer one has its own job. Also without the browser or
 * the person's account.
 */
export async function findPush(
  db: Db,
  { subscriptionId, ticketId }: PushJob,
  queuedAt: Date,
): Promise<Push | undefined> {
  const [push] = await rows<Push>(
    db,
    sql`
      select s.user_id as "userId", s.endpoint, s.p256dh, s.auth, news.id as "newsId", news.related_ticket_id as "ticketId",
             type, title
      from push_subscriptions s
      join users u on u.id = s.user_id and u.deactivated_at is null
      cross join lateral (
        select * from notifications where related_ticket_id = ${ticketId} and user_id = s.user_id order by id desc limit 1) news
      where s.id = ${subscriptionId} and not is_read
        and date_trunc('milliseconds', news.created_at) <= ${queuedAt.toISOString()}
        and news.created_at > now() - make_interval(secs => ${pushLimits.lifetimeSeconds})`,
  );
  return push;
}

/** Pushes the newest notification of a ticket to one browser. */
export const pushJob = { name: 'send_push', payload: z.object({ subscriptionId: z.int(), ticketId: z.int() }) };
export type PushJob = z.output<typeof pushJob.payload>;

/** Queues a push about a ticket to each browser of its person, once this transaction is committed. */
export async function queuePush(tx: Db, { userId, ticketId }: { userId: number; ticketId: number }): Promise<void> {
  await tx.execute(sql`
    select graphile_worker.add_job(${pushJob.name}, json_build_object('subscriptionId', id, 'ticketId', ${ticketId}::int),
      queue_name => 'push-' || (user_id % ${pushLimits.queues}::int), max_attempts => ${pushLimits.tries}::int,
      priority => ${pushLimits.priority}::int)
    from push_subscriptions where user_id = ${userId}`);
}
