import type { Db } from '#server/database/connect.ts';
import { bool, int } from '#server/database/row-kinds.ts';
import { statement } from '#server/database/statement.ts';
import { alarmKey, updateAlarm } from '#server/features/alarms/conditions.ts';
import { updateCapAlarms } from '#server/features/sms/caps.ts';
import { secondCodeLimits } from '#server/process/sending-limits.ts';
import type { Purpose } from './store.ts';

export interface TakenTry {
  purpose: Purpose;
  phone: string;
  /** Whether it came by the cookie of a flow whose browser had signed in to the account before. */
  isKnown: boolean;
}

// A right code that sufficed proves its flow and takes back its own wrong tries. Only a stranger's right code takes back
// strangers' tries (`proveFlow`).
const ofStrangers = `
  c.stranger_attempts + case when f.is_known or f.proven_at is not null then 0 else c.attempts end`;
const ofKnown = 'case when f.is_known and f.proven_at is null then c.attempts else 0 end';

const counting = statement({ ofAll: int, alarmed: bool })(`
  select coalesce(sum(${ofStrangers}), 0)::int as "ofAll", exists (select from alarms where key = $2) as alarmed
  from otp_codes c join otp_flows f on f.id = c.flow_id
  where f.purpose = $1 and c.created_at > now() - make_interval(secs => ${secondCodeLimits.ofAllSeconds})`);

const countingOfNumber = statement({ ofNumber: int })(`
  select coalesce(sum(case when $3::boolean then ${ofKnown} else ${ofStrangers} end), 0)::int as "ofNumber"
  from otp_codes c join otp_flows f on f.id = c.flow_id
  where f.purpose = $1 and c.phone = $2
    and c.created_at > now() - make_interval(secs => ${secondCodeLimits.ofNumberSeconds})`);

/**
 * Whether a right code suffices, by recent wrong ones: of the number, and of all unless the account knows the browser. The
 * try is committed before, so each of a burst counts those before it. Raises the alarm at the day's bound for all.
 */
export async function countTry(db: Db, { purpose, phone, isKnown }: TakenTry, isRight: boolean): Promise<boolean> {
  const [[all], [number]] = await db.ask(
    counting(purpose, alarmKey('second-codes', purpose)),
    countingOfNumber(purpose, phone, isKnown),
  );
  if (!all || !number) throw new Error('tries that cannot be counted');
  if (!isRight && !all.alarmed && all.ofAll >= secondCodeLimits.ofAll)
    await updateAlarm(db, 'second-codes', { purpose }, purpose);
  return (isKnown || all.ofAll <= secondCodeLimits.ofAll) && number.ofNumber <= secondCodeLimits.ofNumber;
}

/** Ends alarms of caps and wrong codes whose cause ended while no code was requested. */
export async function settleSendingAlarms(db: Db): Promise<void> {
  await updateCapAlarms(db);
  for (const purpose of ['signup', 'reset'] as const) {
    const [[all]] = await db.ask(counting(purpose, alarmKey('second-codes', purpose)));
    if (all?.alarmed && all.ofAll < secondCodeLimits.ofAll) await updateAlarm(db, 'second-codes', undefined, purpose);
  }
}
