import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { columnsOf, statement } from '#server/database/statement.ts';
import { sendingCaps } from '#server/process/sending-limits.ts';
import { allMessages, type CapCount, reviewCapAlarm } from './cap-alarms.ts';
import { hasRoom, type SmsClass, smsClasses } from './cap-shares.ts';
import { smsDays } from './tables.ts';

/** What numbers of none of the seven countries are counted under: an operator's may be from anywhere. */
const elsewhere = 'other';

/** The dial code that a number's messages are counted under: '226'. */
export function dialCodeOf(e164: string): string {
  return countries.find(({ code }) => e164.startsWith(code))?.code.slice(1) ?? elsewhere;
}

type DayRow = typeof smsDays.$inferSelect;

const today = "(now() at time zone 'UTC')::date";

const counting = statement<DayRow>(`
  insert into sms_days as d (day, dial_code, queued, signup, trusted, decision) values (${today}, $1, 1, $2, $3, $4)
  on conflict (day, dial_code) do update set queued = d.queued + 1, signup = d.signup + excluded.signup,
    trusted = d.trusted + excluded.trusted, decision = d.decision + excluded.decision
  returning ${columnsOf(smsDays)}`);

// A statement of its own behind those that wait for the day's row: what an administrator saved meanwhile counts.
const readingCaps = statement<{ perDay: number; perCountry: number; sendsDecisions: boolean }>(`
  select coalesce(max(per_day), ${sendingCaps.perDay}) as "perDay",
         coalesce(max(per_country_and_day), ${sendingCaps.perCountryAndDay}) as "perCountry",
         coalesce(bool_or(on_decision), false) as "sendsDecisions"
  from sms_settings`);

const takingBack = statement(`
  update sms_days set queued = queued - 1, signup = signup - $2::int, trusted = trusted - $3::int, decision = decision - $4::int
  where day = ${today} and dial_code = any($1::text[])`);

/**
 * Counts a message in the caller's transaction, under all and then under its dial code. Counting locks these rows, so that
 * a cap holds under any burst. Answers false and counts nothing where a cap has no room for the message's class, if caps
 * hold at all (`limited`). Raises an alarm when a cap comes near.
 */
export async function countMessage(
  tx: Db,
  dialCode: string,
  { limited, smsClass }: { limited: boolean; smsClass: SmsClass | undefined },
): Promise<boolean> {
  const ones = smsClasses.map((each) => (each === smsClass ? 1 : 0));
  const [[all], [country], [caps]] = await tx.ask(
    counting(allMessages, ...ones),
    counting(dialCode, ...ones),
    readingCaps(),
  );
  if (!all || !country || !caps) throw new Error('a message that was counted nowhere');
  if (!limited) return true;
  const counts = [all, country].map((row) => withCap(row, caps));
  if (smsClass && !counts.every((count) => hasRoom(before(count, smsClass), smsClass))) {
    await tx.ask(takingBack([allMessages, dialCode], ...ones));
    return false;
  }
  for (const count of counts)
    if (count.dialCode !== elsewhere) await reviewCapAlarm(tx, before(count, smsClass), count);
  return true;
}

/** A count as it was before one more message. */
function before(count: CapCount, smsClass: SmsClass | undefined): CapCount {
  const earlier = { ...count, queued: count.queued - 1 };
  if (smsClass) earlier[smsClass] -= 1;
  return earlier;
}

function withCap(
  { day: _, ...row }: DayRow,
  { perDay, perCountry, sendsDecisions }: { perDay: number; perCountry: number; sendsDecisions: boolean },
): CapCount {
  return { ...row, cap: row.dialCode === allMessages ? perDay : perCountry, sendsDecisions };
}

const reading = statement<DayRow>(`
  select ${columnsOf(smsDays)} from sms_days where day = ${today} order by dial_code`);

/** What was counted today and what each may come to; dial codes without a message are left out. */
export async function listCapCounts(db: Db): Promise<CapCount[]> {
  const [rows, [caps]] = await db.ask(reading(), readingCaps());
  if (!caps) throw new Error('caps that cannot be read');
  return rows.map((row) => withCap(row, caps));
}

/** As `listCapCounts`, and no message is counted until the transaction ends. */
export async function lockCapCounts(tx: Db): Promise<CapCount[]> {
  await tx.ask(locking(allMessages));
  return listCapCounts(tx);
}
const locking = statement(`
  insert into sms_days as d (day, dial_code, queued) values (${today}, $1, 0)
  on conflict (day, dial_code) do update set queued = d.queued`);
