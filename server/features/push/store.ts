import { and, eq } from 'drizzle-orm';
import webPush from 'web-push';
import * as z from 'zod';
import type { Db } from '#server/database/connect.ts';
import { bool, int, text } from '#server/database/row-kinds.ts';
import { none, type Query, type RowOf, statement } from '#server/database/statement.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { pushLimits } from '#server/process/sending-limits.ts';
import { pushKeys, pushSubscriptions } from './tables.ts';

export type PushKeys = Pick<typeof pushKeys.$inferSelect, 'publicKey' | 'privateKey'>;
export type PushSubscription = Pick<typeof pushSubscriptions.$inferSelect, 'id' | 'endpoint' | 'p256dh' | 'auth'>;

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
  { endpoint, p256dh, auth }: Omit<PushSubscription, 'id'>,
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

const listing = statement({ id: int, endpoint: text, p256dh: text, auth: text })(`
  select s.id, s.endpoint, s.p256dh, s.auth from push_subscriptions s join users u on u.id = s.user_id
  where s.user_id = $1 and ($2::int is null or s.id = $2) and u.deactivated_at is null order by s.id`);

/** A person's subscriptions, or the one of that id if it is still theirs; none of a closed account. */
export async function listSubscriptions(db: Db, userId: number, id: number | undefined): Promise<PushSubscription[]> {
  const [rows] = await db.ask(listing(userId, id ?? null));
  return rows;
}

const newest = statement({
  id: int,
  ticketId: int,
  type: text,
  title: text,
  /** Whether it may still tell them something: not read, and not of yesterday. */
  isNew: bool,
})(`
  select id, related_ticket_id as "ticketId", type, title,
         not is_read and created_at > now() - make_interval(secs => ${pushLimits.lifetimeSeconds}) as "isNew"
  from notifications where related_ticket_id = $2 and user_id = $1 order by id desc limit 1`);

/** The subject of a push: the newest notification of a ticket. */
export type PushNews = RowOf<typeof newest>;

export async function findNews(db: Db, userId: number, ticketId: number): Promise<PushNews | undefined> {
  const [[row]] = await db.ask(newest(userId, ticketId));
  return row;
}

/** Pushes the newest notification of a ticket. For a retry to one browser it must still be the newest. */
export const pushJob = {
  name: 'send_push',
  payload: z.object({
    userId: z.int(),
    ticketId: z.int(),
    again: z.object({ newsId: z.int(), subscriptionId: z.int(), attempt: z.int() }).optional(),
  }),
};
export type PushJob = z.output<typeof pushJob.payload>;

// Only for people who asked for it. A first push replaces none by its key: one that is taken at that moment would be lost with
// its news (graphile-worker 0.18.0). A browser's next try does: should it be lost, a newer one is under way.
const queueing = statement(none)(`
  select graphile_worker.add_job('${pushJob.name}', $3::json, queue_name => 'push-' || ($1::int % ${pushLimits.queues}),
    job_key => 'push:' || $1::int || ':' || $2::int || ':' || $4::int, run_at => now() + make_interval(secs => $5),
    max_attempts => ${pushLimits.jobAttempts}, priority => ${pushLimits.priority})
  where exists (select from push_subscriptions where user_id = $1)`);

/** Queues a push about a ticket to its person's browsers, `afterSeconds` after the commit, if they have any. */
export function queuePush(job: PushJob, afterSeconds = 0): Query<never> {
  return queueing(job.userId, job.ticketId, JSON.stringify(job), job.again?.subscriptionId ?? null, afterSeconds);
}
