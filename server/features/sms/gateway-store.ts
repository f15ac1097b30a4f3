import type { Db } from '#server/database/connect.ts';
import { addJob } from '#server/database/define-job.ts';
import { type Query, statement } from '#server/database/statement.ts';
import { smsLimits } from '#server/process/sms-limits.ts';

export interface GatewayState {
  name: string;
  /** It is set, and its failures need an operator's attention. */
  isFailing: boolean;
  failuresInARow: number;
  /** Of a hundred messages of late; 0 where there were none. */
  failedPercent: number;
  failure: string | null;
}

/** What is left of the weight of the messages of late, in SQL: nothing after twelve halvings. */
export const fadedBy = `(case when recent_at > now() - make_interval(secs => ${12 * smsLimits.recentHalfSeconds})
  then power(0.5::float8, extract(epoch from now() - recent_at)::float8 / ${smsLimits.recentHalfSeconds}) else 0 end)`;

/** Whether a gateway fails, in SQL: several messages in a row, or too great a part of those of late. `of` is its row. */
export const isFailing = (of = ''): string => `(
  ${of}failures_in_a_row >= ${smsLimits.failuresBeforeAlarm}
  or (round(${of}recent_tried * ${fadedBy.replaceAll('recent_at', `${of}recent_at`)}) >= ${smsLimits.recentBeforeAlarm}
      and ${of}recent_failed * 100 >= ${of}recent_tried * ${smsLimits.failedPercentBeforeAlarm}))`;

const saved = statement(`
  with gone as (
    update sms_gateways set position = null where position is not null and name <> all($1::text[])
  ), given as (
    select * from unnest($1::text[], $2::text[]) with ordinality as given (name, dial_codes, place)
  )
  insert into sms_gateways (name, dial_codes, position)
  select name, dial_codes, place::int - 1 from given order by name
  on conflict (name) do update set dial_codes = excluded.dial_codes, position = excluded.position
  where (sms_gateways.dial_codes, sms_gateways.position) is distinct from (excluded.dial_codes, excluded.position)`);

const locked = statement<GatewayState>(`
  select name, position is not null and ${isFailing()} as "isFailing", failures_in_a_row as "failuresInARow",
    case when recent_tried > 0 then round(100 * recent_failed / recent_tried)::int else 0 end as "failedPercent", failure
  from sms_gateways order by name for update`);

/** Every gateway there ever was, locked until the transaction ends. */
export function lockGateways(): Query<GatewayState> {
  return locked();
}

/** Writes down which gateways are set, in the order of their places; all others lose theirs. */
export async function saveGateways(db: Db, gateways: readonly { name: string; dialCodes: string[] }[]): Promise<void> {
  const save = saved(
    gateways.map(({ name }) => name),
    gateways.map(({ dialCodes }) => dialCodes.join(',')),
  );
  // Rows are locked in one order by all who lock several, so that processes that start together do not wait for each other.
  await db.transaction(async (tx) => void (await tx.ask(locked(), save)));
}

const balance = statement(
  `update sms_gateways set balance = $2, balance_at = now(), balance_failure = null where name = $1`,
);
const noBalance = statement('update sms_gateways set balance_failure = $2 where name = $1');

/** Writes down how many messages are still paid for. */
export async function saveBalance(db: Db, name: string, units: number): Promise<void> {
  await db.ask(balance(name, units));
}

/** Writes down why it is not known how many are; what was known last stays. */
export async function saveBalanceFailure(db: Db, name: string, failure: string): Promise<void> {
  await db.ask(noBalance(name, failure));
}

export const balanceJob = { name: 'check_sms_balance' };

/** Has the balances looked at as soon as a worker is free, once for several processes that ask for it. */
export async function queueBalanceCheck(db: Db): Promise<void> {
  await db.ask(addJob(balanceJob, undefined, { attempts: 1, key: balanceJob.name }));
}
