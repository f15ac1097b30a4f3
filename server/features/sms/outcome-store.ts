import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { fadedBy, isFailing } from './gateway-store.ts';
import { smsJob, smsPriority } from './store.ts';

export interface QueuedSms {
  /** E.164. */
  recipient: string;
  body: string | null;
  reference: string;
  attempts: number;
  /** Why the last attempt failed. */
  failure: string | null;
  /** The gateways that may have it. */
  doubtful: string[];
  /** Whether a receipt said meanwhile that the phone has it. */
  isDelivered: boolean;
  expired: boolean;
  createdAt: Date;
}

const queued = statement<QueuedSms>(`
  select recipient, body, reference, attempts, failure, doubtful,
         delivery is not distinct from 'delivered' as "isDelivered", drop_after <= now() as expired, created_at as "createdAt"
  from sms_messages where id = $1 and status = 'queued' and coalesce(job_id, $2) = $2`);

/** A message that waits to be sent by this job; undefined once it was sent or given up, or another job has it. */
export async function findQueuedSms(db: Db, id: number, job: string): Promise<QueuedSms | undefined> {
  const [[message]] = await db.ask(queued(id, job));
  return message;
}

export interface Attempt {
  id: number;
  /** Of the queue. */
  job: string;
  /** 'queued' where it will be tried again; any other is the end, at which the body is wiped. */
  status: 'queued' | 'sent' | 'failed' | 'expired';
  attempts: number;
  /** The last gateway tried; null leaves the one before. */
  provider: string | null;
  /** All gateways that may have it by now. */
  doubtful: readonly string[];
  gatewayId: string | null;
  /** Null leaves the one before, unless it was sent. */
  failure: string | null;
  /** Until it is tried again; 0 for one that has ended. */
  waitSeconds: number;
}

/** What a message made known of a gateway. */
export interface GatewayRecord {
  name: string;
  /**
   * `answered`: it refused a number, as gateways that work do. `refused`: it refused for another reason. `silent`: it said
   * nothing of the message.
   */
  outcome: 'sent' | 'answered' | 'refused' | 'silent';
  failure: string | null;
  retryAfterSeconds: number;
}

// A message that was sent stays sent, whatever another process that had it in hand too makes of it; and of two jobs that had it
// in hand one goes on.
const attempted = statement(`
  with again as (
    select (graphile_worker.add_job('${smsJob.name}', json_build_object('id', id),
      run_at => least(now() + make_interval(secs => $9), drop_after), priority => ${smsPriority})).id as job
    from sms_messages where id = $1 and status = 'queued' and $3::text = 'queued' and coalesce(job_id, $2) = $2
  )
  update sms_messages set status = $3::text, attempts = $4, provider = coalesce($5, provider), gateway_id = $6,
    failure = case when $3::text <> 'sent' then coalesce($7, failure) end, doubtful = $8::text[],
    body = case when $3::text = 'queued' then body end, sent_at = case when $3::text = 'sent' then now() end,
    job_id = coalesce((select job from again), job_id)
  where id = $1 and case $3::text
    when 'sent' then status <> 'sent'
    when 'queued' then exists (select from again)
    else status = 'queued' and coalesce(job_id, $2) = $2 end`);

const noted = statement<RecordedGateway>(`
  with known as (
    select name, unanswered_in_a_row as unanswered, ${isFailing()} as failing, ${fadedBy} as faded
    from sms_gateways where name = $1 for update
  )
  update sms_gateways g set
    last_sent_at = case when $2::text = 'sent' then now() else last_sent_at end,
    last_failed_at = case when $2::text in ('refused', 'silent') then now() else last_failed_at end,
    failure = case when $2::text in ('refused', 'silent') then $3::text else failure end,
    failures_in_a_row = case when $2::text in ('refused', 'silent') then failures_in_a_row + 1 else 0 end,
    unanswered_in_a_row = case when $2::text = 'silent' then unanswered_in_a_row + 1 else 0 end,
    next_at = case
      when $2::text = 'silent' then greatest(next_at, now() + make_interval(secs => $4))
      when unanswered >= ${smsLimits.unansweredBeforePause} then null else next_at end,
    recent_tried = recent_tried * faded + 1,
    recent_failed = round((recent_failed * faded)::numeric, 6) + ($2::text in ('refused', 'silent'))::int,
    recent_at = now()
  from known where g.name = known.name
  returning known.failing as "wasFailing", ${isFailing('g.')} as "isFailing",
    $2::text <> 'silent' and unanswered >= ${smsLimits.unansweredBeforePause} as "isBack"`);

/** How a gateway stood before and stands after a message. */
export interface RecordedGateway {
  wasFailing: boolean;
  isFailing: boolean;
  /** It was silent, and answers again. */
  isBack: boolean;
}

/**
 * Records the outcome of an attempt, of its message and of each gateway that was tried. Queues the next attempt, if any. A
 * repeated call counts messages twice and does no other harm.
 */
export async function recordAttempt(
  db: Db,
  { id, job, status, attempts, provider, doubtful, gatewayId, failure, waitSeconds }: Attempt,
  gateways: readonly GatewayRecord[],
): Promise<RecordedGateway[]> {
  const [, ...stands] = await db.ask(
    attempted(id, job, status, attempts, provider, gatewayId, failure, doubtful, waitSeconds),
    ...gateways.map((each) => noted(each.name, each.outcome, each.failure, each.retryAfterSeconds)),
  );
  return stands.flat();
}

const wake = statement(`
  select count(*) from graphile_worker.reschedule_jobs(
    array(select job_id from sms_messages where status = 'queued' and job_id is not null), run_at => now())`);

/** Has every message that was put off tried now. */
export async function wakeWaiting(db: Db): Promise<void> {
  await db.ask(wake());
}
