import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';
import { alarmKey, updateAlarm } from '#server/features/alarms/conditions.ts';
import { breakerLimits } from '#server/process/sending-limits.ts';
import { allMessages } from './cap-alarms.ts';
import { hasRoom, type SmsClass } from './cap-shares.ts';
import { dialCodeOf, listCapCounts } from './cap-store.ts';

const reading = statement<{ sent: number; converted: number; alarmed: boolean }>(`
  with recent as (
    select id, converted_at, source_address from sms_messages
    where kind = 'code' and (status = 'sent' or delivery = 'delivered') and recipient like '+' || $1 || '%'
      and created_at > now() - make_interval(secs => ${breakerLimits.windowSeconds})
      and created_at <= now() - make_interval(secs => ${breakerLimits.graceSeconds})
    order by created_at desc limit ${breakerLimits.lookedAt}),
  by_address as (
    select count(*) as sent, count(converted_at) as converted
    from recent group by coalesce(source_address, id::text))
  select coalesce(sum(least(sent, ${breakerLimits.perAddress} + ${breakerLimits.perEntered} * converted)), 0)::int as sent,
         coalesce(sum(converted), 0)::int as converted,
         exists (select from alarms where key = $2) as alarmed
  from by_address`);

/**
 * Whether too few of a country's codes were entered in the last hour to send strangers more there. No address counts for
 * much in it. Its alarm is raised and ended with the figures. Outside of a transaction, which a refusal would undo.
 */
async function isBreakerOpen(db: Db, dialCode: string, { raises = true } = {}): Promise<boolean> {
  const [[figures]] = await db.ask(reading(dialCode, alarmKey('sms-breaker', dialCode)));
  const { sent, converted, alarmed } = figures ?? { sent: 0, converted: 0, alarmed: false };
  const open = sent >= breakerLimits.codes && converted * 100 < sent * breakerLimits.percent;
  if (open && !alarmed && raises) await updateAlarm(db, 'sms-breaker', { dialCode }, dialCode);
  if (!open && alarmed) await updateAlarm(db, 'sms-breaker', undefined, dialCode);
  return open;
}

/** Ends alarms of breakers whose figures recovered while no code was requested. It raises none, since limits may be off. */
export async function updateBreakers(db: Db): Promise<void> {
  for (const { code } of countries) await isBreakerOpen(db, code.slice(1), { raises: false });
}

/**
 * Seconds until a code of a class may be sent to a number again, as far as caps and breaker go; 0 when it may now. A breaker
 * stops strangers' sign-ups alone.
 */
export async function secondsUntilCodesGo(db: Db, phone: string, smsClass: SmsClass): Promise<number> {
  const dialCode = dialCodeOf(phone);
  const counts = await listCapCounts(db);
  const full = counts.some(
    (each) => (each.dialCode === allMessages || each.dialCode === dialCode) && !hasRoom(each, smsClass),
  );
  if (full) return secondsLeftOfDay();
  return smsClass === 'signup' && (await isBreakerOpen(db, dialCode)) ? breakerLimits.retryAfterSeconds : 0;
}

/** Seconds until the day of the caps (UTC) ends. */
export function secondsLeftOfDay(): number {
  const day = 86_400;
  return day - (Math.floor(Date.now() / 1000) % day);
}

/** Records that a flow's code was entered: its messages were wanted. */
export async function recordConversion(tx: Db, flowId: string): Promise<void> {
  await tx.ask(converting(flowId));
}
const converting = statement(`
  update sms_messages set converted_at = now() where flow_id = $1 and kind = 'code' and converted_at is null`);
