import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import type { SmsGateway } from './gateway.ts';

export interface Turn {
  /**
   * `taken`: the message may be given to the gateway in `seconds`, and until its outcome is noted the gateway may have it.
   * `busy`: its rate, or what it asked for, lets no message in for longer. `silent`: it answers nothing for now, and another
   * message finds out when it does again. `over`: the message has ended, or another job has it.
   */
  state: 'taken' | 'busy' | 'silent' | 'over';
  /** Until the gateway's next turn. */
  seconds: number;
  /** Messages that wait as this one does; 0 unless it is busy. */
  waiting: number;
}

const { unansweredBeforePause, gatewayPausesSeconds: pauses, turnSeconds, turnSlack } = smsLimits;

// The gateway's row is the clock of its rate: each turn moves it on, for all processes. A silent gateway has one turn a
// pause, and none is taken ahead.
const taking = statement<Turn>(`
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

/**
 * Takes a message's turn at a gateway, as this job of the queue: at the gateway's rate, and seldom where it is silent. It
 * records that the gateway may have the message, for a recovery after a crash.
 */
export async function takeTurn(
  db: Db,
  message: { id: number; job: string },
  { name, perSecond }: SmsGateway,
): Promise<Turn> {
  const [[turn]] = await db.ask(taking(message.id, message.job, name, perSecond ?? null));
  if (!turn) throw new Error('a turn that is none');
  return turn;
}
