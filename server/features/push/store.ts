import { and, eq } from 'drizzle-orm';
import webPush from 'web-push';
import * as z from 'zod';
import type { Db } from '#server/database/connect.ts';
import { int, text } from '#server/database/row-kinds.ts';
import { none, type Query, type RowOf, statement } from '#server/database/statement.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { pushLimits } from '#server/process/sending-limits.ts';
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

const lockedUser = statement(none)('select id from users where id = $1 for key share');

// The session is read under the person's lock, so that an end of their access comes before or after all of this.
const saving = statement({ id: int })(`
  insert into push_subscriptions (user_id, endpoint, p256dh, auth)
  select user_id, $2, $3, $4 from sessions where sid = $1 and expire > now()
  on conflict (endpoint) do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, created_at = now()
  returning id`);

const deletingOldest = statement(none)(`
  delete from push_subscriptions where id in (
    select id from push_subscriptions where user_id = $1 order by created_at desc, id desc offset ${pushLimits.perUser})`);

/** Assigns a browser's subscription to this person, and keeps their newest alone. False when their session has ended. */
export async function saveSubscription(
  db: Db,
  caller: { userId: number; sid: string },
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.ask(lockedUser(caller.userId));
    return new FinalStatements(
      [saving(caller.sid, endpoint, p256dh, auth), deletingOldest(caller.userId)],
      ([saved]) => saved?.length === 1,
    );
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

const finding = statement({
  userId: int,
  endpoint: text,
  p256dh: text,
  auth: text,
  newsId: int,
  ticketId: int,
  type: text,
  title: text,
})(`
  select s.user_id as "userId", s.endpoint, s.p256dh, s.auth, news.id as "newsId", news.related_ticket_id as "ticketId", type, title
  from push_subscriptions s
  join users u on u.id = s.user_id and u.deactivated_at is null
  cross join lateral (
    select * from notifications where related_ticket_id = $2 and user_id = s.user_id order by id desc limit 1) news
  where s.id = $1 and not is_read and date_trunc('milliseconds', news.created_at) <= $3
    and news.created_at > now() - make_interval(secs => ${pushLimits.lifetimeSeconds})`);

/** What a browser is told: the newest notification of a ticket. */
export type Push = RowOf<typeof finding>;

/**
 * What a job is to tell. Nothing if it is read or a day old, if a newer one has a job of its own, or if the browser or its
 * person's account is gone.
 */
export async function findPush(
  db: Db,
  { subscriptionId, ticketId }: PushJob,
  queuedAt: Date,
): Promise<Push | undefined> {
  const [[push]] = await db.ask(finding(subscriptionId, ticketId, queuedAt.toISOString()));
  return push;
}

/** Pushes the newest notification of a ticket to one browser. */
export const pushJob = { name: 'send_push', payload: z.object({ subscriptionId: z.int(), ticketId: z.int() }) };
export type PushJob = z.output<typeof pushJob.payload>;

const queueing = statement(none)(`
  select graphile_worker.add_job('${pushJob.name}', json_build_object('subscriptionId', id, 'ticketId', $2::int),
    queue_name => 'push-' || (user_id % ${pushLimits.queues}), max_attempts => ${pushLimits.tries}, priority => ${pushLimits.priority})
  from push_subscriptions where user_id = $1`);

/** Queues a push about a ticket to each browser of its person, once this transaction is committed. */
export function queuePush({ userId, ticketId }: { userId: number; ticketId: number }): Query<never> {
  return queueing(userId, ticketId);
}
