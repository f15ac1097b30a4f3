import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { bool, columnsOf, int, rowOf } from '#server/database/row-kinds.ts';
import { none, statement } from '#server/database/statement.ts';
import { sendingCaps } from '#server/process/sending-limits.ts';
import { smsDays } from './tables.ts';

/** The classes that share a cap: sign-ups; codes to verified numbers and known browsers; decisions. Others always go. */
export const smsClasses = ['signup', 'trusted', 'decision'] as const;
export type SmsClass = (typeof smsClasses)[number];

/** How many messages a day brought, all and of each class, how many it may bring, and whether decisions are sent. */
export interface CapUse extends Record<SmsClass, number> {
  queued: number;
  cap: number;
  sendsDecisions: boolean;
}

/** What of a cap is kept for a class, in whole messages. */
function keptOf({ cap, sendsDecisions }: CapUse, smsClass: SmsClass): number {
  if (smsClass === 'decision' && !sendsDecisions) return 0;
  return Math.floor((cap * sendingCaps.keptPercent[smsClass]) / 100);
}

/** Whether a cap lets one more message of a class go, by what is kept for the class or what the others leave. */
export function hasRoom(use: CapUse, smsClass: SmsClass): boolean {
  if (use.queued >= use.cap) return false;
  if (use[smsClass] < keptOf(use, smsClass)) return true;
  const kept = sum(smsClasses.map((each) => keptOf(use, each)));
  const beyond = sum(smsClasses.map((each) => Math.max(0, use[each] - keptOf(use, each))));
  const ofNoClass = use.queued - sum(smsClasses.map((each) => use[each]));
  return beyond + ofNoClass < use.cap - kept;
}

/** The classes of which no message goes any more, of those that are sent at all. */
export function listShut(use: CapUse): SmsClass[] {
  return smsClasses.filter((each) => !hasRoom(use, each) && (each !== 'decision' || use.sendsDecisions));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** What is counted under beside the dial codes: every message. */
export const allMessages = 'all';

/** What a day brought, of a dial code such as '226' or of all, and how much it may bring. */
export interface CapCount extends CapUse {
  dialCode: string;
}

/** What numbers of none of the seven countries are counted under: an operator's may be from anywhere. */
const elsewhere = 'other';

/** The dial code that a number's messages are counted under: '226'. */
export function dialCodeOf(e164: string): string {
  return countries.find(({ code }) => e164.startsWith(code))?.code.slice(1) ?? elsewhere;
}

type DayRow = typeof smsDays.$inferSelect;

const today = "(now() at time zone 'UTC')::date";

const counting = statement(rowOf(smsDays))(`
  insert into sms_days as d (day, dial_code, queued, signup, trusted, decision) values (${today}, $1, 1, $2, $3, $4)
  on conflict (day, dial_code) do update set queued = d.queued + 1, signup = d.signup + excluded.signup,
    trusted = d.trusted + excluded.trusted, decision = d.decision + excluded.decision
  returning ${columnsOf(smsDays)}`);

// A statement of its own behind those that wait for the day's row: what an administrator saved meanwhile counts.
const readingCaps = statement({ perDay: int, perCountry: int, sendsDecisions: bool })(`
  select coalesce(max(per_day), ${sendingCaps.perDay}) as "perDay",
         coalesce(max(per_country_and_day), ${sendingCaps.perCountryAndDay}) as "perCountry",
         coalesce(bool_or(on_decision), false) as "sendsDecisions"
  from sms_settings`);

const takingBack = statement(none)(`
  update sms_days set queued = queued - 1, signup = signup - $2::int, trusted = trusted - $3::int, decision = decision - $4::int
  where day = ${today} and dial_code = any($1::text[])`);

/**
 * Counts a message under all and its dial code, whose rows it locks: a cap holds under any burst. Answers false and counts
 * nothing where a cap has no room for its class, if caps hold at all (`limited`).
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

const readingToday = statement(rowOf(smsDays))(`
  select ${columnsOf(smsDays)} from sms_days where day = ${today} order by dial_code`);

/** What was counted today and what each may come to; dial codes without a message are left out. */
export async function listCapCounts(db: Db): Promise<CapCount[]> {
  const [rows, [caps]] = await db.ask(readingToday(), readingCaps());
  if (!caps) throw new Error('caps that cannot be read');
  return rows.map((row) => withCap(row, caps));
}

/** As `listCapCounts`, and no message is counted until the transaction ends. */
export async function lockCapCounts(tx: Db): Promise<CapCount[]> {
  await tx.ask(locking(allMessages));
  return listCapCounts(tx);
}
const locking = statement(none)(`
  insert into sms_days as d (day, dial_code, queued) values (${today}, $1, 0)
  on conflict (day, dial_code) do update set queued = d.queued`);
