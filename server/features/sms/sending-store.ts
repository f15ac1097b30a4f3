import type { Db } from '#server/database/connect.ts';
import { addJob } from '#server/database/define-job.ts';
import { bool, float, instant, int, nullable, oneOf, text, texts, uuid } from '#server/database/row-kinds.ts';
import { none, type RowOf, statement } from '#server/database/statement.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import type { SmsGateway } from './sms-route.ts';
import { smsJob, smsPriority } from './store.ts';

/** What is left of the weight of the messages of late, in SQL: nothing after twelve halvings. */
export const fadedBy = `(case when recent_at > now() - make_interval(secs => ${12 * smsLimits.recentHalfSeconds})
  then power(0.5::float8, extract(epoch from now() - recent_at)::float8 / ${smsLimits.recentHalfSeconds}) else 0 end)`;

/** Whether a gateway fails, in SQL: several messages in a row, or too great a part of those of late. `of` is its row. */
export const isFailing = (of = ''): string => `(
  ${of}failures_in_a_row >= ${smsLimits.failuresBeforeAlarm}
  or (round(${of}recent_tried * ${fadedBy.replaceAll('recent_at', `${of}recent_at`)}) >= ${smsLimits.recentBeforeAlarm}
      and ${of}recent_failed * 100 >= ${of}recent_tried * ${smsLimits.failedPercentBeforeAlarm}))`;

const saved = statement(none)(`
  with gone as (
    update sms_gateways set position = null where position is not null and name <> all($1::text[])
  ), given as (
    select * from unnest($1::text[], $2::text[]) with ordinality as given (name, dial_codes, place)
  )
  insert into sms_gateways (name, dial_codes, position)
  select name, dial_codes, place::int - 1 from given order by name
  on conflict (name) do update set dial_codes = excluded.dial_codes, position = excluded.position
  where (sms_gateways.dial_codes, sms_gateways.position) is distinct from (excluded.dial_codes, excluded.position)`);

/** Every gateway there ever was, locked until the transaction ends. */
export const lockGateways = statement({
  name: text,
  /** It is set, and its failures need an operator's attention. */
  isFailing: bool,
  failuresInARow: int,
  /** Of a hundred messages of late; 0 where there were none. */
  failedPercent: int,
  failure: nullable(text),
})<[]>(`
  select name, position is not null and ${isFailing()} as "isFailing", failures_in_a_row as "failuresInARow",
    case when recent_tried > 0 then round(100 * recent_failed / recent_tried)::int else 0 end as "failedPercent", failure
  from sms_gateways order by name for update`);

/** Writes down which gateways are set, in the order of their places; all others lose theirs. */
export async function saveGateways(db: Db, gateways: readonly { name: string; dialCodes: string[] }[]): Promise<void> {
  const save = saved(
    gateways.map(({ name }) => name),
    gateways.map(({ dialCodes }) => dialCodes.join(',')),
  );
  // Rows are locked in one order by all who lock several, so that processes that start together do not wait for each other.
  await db.transaction(async (tx) => void (await tx.ask(lockGateways(), save)));
}

/** Records how many messages are still paid for, or why that is not known: then the last number stays. */
export const saveBalance = statement(none)<[gateway: string, units: number | null, failure: string | null]>(`
  update sms_gateways set balance = coalesce($2::int, balance), balance_failure = $3,
    balance_at = case when $2::int is null then balance_at else now() end where name = $1`);

export const balanceJob = { name: 'check_sms_balance' };

/** Has the balances looked at as soon as a worker is free, once for several processes that ask for it. */
export async function queueBalanceCheck(db: Db): Promise<void> {
  await db.ask(addJob(balanceJob, undefined, { attempts: 1, key: balanceJob.name }));
}

const { unansweredBeforePause, gatewayPausesSeconds: pauses, turnSeconds, turnSlack } = smsLimits;

// The gateway's row is the clock of its rate: each turn moves it on, for all processes. A silent gateway has one turn a
// pause, and none is taken ahead.
const taking = statement({
  /**
   * `taken`: the gateway may be given the message in `seconds`. `busy`: its rate, or what it asked for, takes none for
   * longer. `silent`: it answers nothing for now. `over`: the message has ended, or another job has it.
   */
  state: oneOf('taken', 'busy', 'silent', 'over'),
  /** Until the gateway's next turn. */
  seconds: float,
  /** Messages that wait as this one does; 0 unless it is busy. */
  waiting: int,
})(`
  with message as (
    select id, kind from sms_messages
    where id = $1 and status = 'queued' and drop_after > now() and coalesce(job_id, $2) = $2 for update
  ), gateway as (
    select name, unanswered_in_a_row as unanswered, greatest(next_at, now()) as turn
    from sms_gateways where name = $3 and exists (select from message) for update
  ), next as (
    select name, turn, extract(epoch from turn - now())::float8 as seconds, unanswered >= ${unansweredBeforePause} as silent,
      case when unanswered >= ${unansweredBeforePause}
        then (array[${pauses}])[least(unanswered - ${unansweredBeforePause - 1}, ${pauses.length})]
        else coalesce(${turnSlack} / $4::float8, 0) end as step
    from gateway
  ), taken as (
    select name, turn + make_interval(secs => step) as next_at, step from next
    where seconds <= case when silent then 0 else ${turnSeconds} end
  ), moved as (
    update sms_gateways g set next_at = taken.next_at from taken where g.name = taken.name and step > 0
  ), marked as (
    update sms_messages m set doubtful = array_append(array_remove(doubtful, $3), $3) from message
    where m.id = message.id and (exists (select from taken) or not exists (select from gateway))
    returning m.id
  )
  select state, coalesce(seconds, 0) as seconds,
    case state when 'busy' then (
      select count(*)::int from sms_messages other, message
      where other.status = 'queued' and (message.kind = 'decision' or other.kind <> 'decision')
    ) else 0 end as waiting
  from (
    select next.seconds, case
      when not exists (select from message) then 'over'
      when exists (select from marked) then 'taken'
      when silent then 'silent' else 'busy' end as state
    from (select) one left join next on true
  ) turn`);
export type Turn = RowOf<typeof taking>;

/** Takes a message's turn at a gateway, at its rate, and records that the gateway may have it, in case of a crash. */
export async function takeTurn(
  db: Db,
  message: { id: number; job: string },
  { name, perSecond }: SmsGateway,
): Promise<Turn> {
  const [[turn]] = await db.ask(taking(message.id, message.job, name, perSecond ?? null));
  if (!turn) throw new Error('a turn that is none');
  return turn;
}

/** A message that waits to be sent by this job; none once it was sent or given up, or another job has it. */
export const findQueuedSms = statement({
  /** E.164. */
  recipient: text,
  body: nullable(text),
  reference: uuid,
  attempts: int,
  /** Why the last attempt failed. */
  failure: nullable(text),
  /** The gateways that may have it. */
  doubtful: texts,
  /** Whether a receipt said meanwhile that the phone has it. */
  isDelivered: bool,
  expired: bool,
  createdAt: instant,
})<[id: number, job: string]>(`
  select recipient, body, reference, attempts, failure, doubtful,
         delivery is not distinct from 'delivered' as "isDelivered", drop_after <= now() as expired, created_at as "createdAt"
  from sms_messages where id = $1 and status = 'queued' and coalesce(job_id, $2) = $2`);
export type QueuedSms = RowOf<typeof findQueuedSms>;

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
  /** `answered`: it refused a number, as working gateways do. `silent`: it said nothing of the message. */
  outcome: 'sent' | 'answered' | 'refused' | 'silent';
  failure: string | null;
  retryAfterSeconds: number;
}

// A message that was sent stays sent, whatever another process that had it in hand too makes of it; and of two jobs that had it
// in hand one goes on.
const attempted = statement(none)(`
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

/** How a gateway stood before and stands after a message. */
export type RecordedGateway = RowOf<typeof noted>;
const noted = statement({
  wasFailing: bool,
  isFailing: bool,
  /** It was silent, and answers again. */
  isBack: bool,
})(`
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

/** Records an attempt, its outcome at each gateway, and queues the next. A repeated call only counts messages twice. */
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

/** Has every message that was put off tried now. */
export const wakeWaiting = statement(none)<[]>(`
  select count(*) from graphile_worker.reschedule_jobs(
    array(select job_id from sms_messages where status = 'queued' and job_id is not null), run_at => now())`);
