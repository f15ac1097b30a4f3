import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { columnsOf, statement } from '#server/database/statement.ts';
import { sendingCaps } from '#server/process/sending-limits.ts';
import { allMessages, type CapCount, reviewCapAlarm } from './cap-alarms.ts';
import { smsDays } from './tables.ts';

/** What numbers of none of the seven countries are counted under: an operator's may be from anywhere. */
const elsewhere = 'other';

/** The dial code that a number's messages are counted under: '226'. */
export function dialCodeOf(e164: string): string {
  return countries.find(({ code }) => e164.startsWith(code))?.code.slice(1) ?? elsewhere;
}

const today = "(now() at time zone 'UTC')::date";

const counting = statement<{ queued: number }>(`
  insert into sms_days as d (day, dial_code, queued) values (${today}, $1, 1)
  on conflict (day, dial_code) do update set queued = d.queued + 1
  returning queued`);

// A statement of its own behind those that wait for the day's row: what an administrator saved meanwhile counts.
const readingCaps = statement<{ perDay: number; perCountry: number }>(`
  select coalesce(max(per_day), ${sendingCaps.perDay}) as "perDay",
         coalesce(max(per_country_and_day), ${sendingCaps.perCountryAndDay}) as "perCountry"
  from sms_settings`);

const takingBack = statement(`
  update sms_days set queued = queued - 1 where day = ${today} and dial_code = any($1::text[])`);

/**
 * Counts a message in the caller's transaction, under all and then under its dial code: whoever counts waits for the others
 * there, so that a cap holds however many come at once. Answers false, and nothing is counted, where `holds` and a cap is
 * reached. Says when a cap comes near, if the caps hold at all.
 */
export async function countMessage(
  tx: Db,
  dialCode: string,
  { limited, refusable }: { limited: boolean; refusable: boolean },
): Promise<boolean> {
  const [[all], [country], [caps]] = await tx.ask(counting(allMessages), counting(dialCode), readingCaps());
  if (!all || !country || !caps) throw new Error('a message that was counted nowhere');
  if (!limited) return true;
  if (refusable && (all.queued > caps.perDay || country.queued > caps.perCountry)) {
    await tx.ask(takingBack([allMessages, dialCode]));
    return false;
  }
  await reviewCapAlarm(tx, { dialCode: allMessages, queued: all.queued, cap: caps.perDay });
  if (dialCode !== elsewhere) await reviewCapAlarm(tx, { dialCode, queued: country.queued, cap: caps.perCountry });
  return true;
}

const reading = statement<typeof smsDays.$inferSelect>(`
  select ${columnsOf(smsDays)} from sms_days where day = ${today} order by dial_code`);

/** What was counted today and what each may come to; dial codes without a message are left out. */
export async function listCapCounts(db: Db): Promise<CapCount[]> {
  const [rows, [caps]] = await db.ask(reading(), readingCaps());
  if (!caps) throw new Error('caps that cannot be read');
  return rows.map(({ dialCode, queued }) => ({
    dialCode,
    queued,
    cap: dialCode === allMessages ? caps.perDay : caps.perCountry,
  }));
}

/** As `listCapCounts`, and no message is counted until the transaction ends. */
export async function lockCapCounts(tx: Db): Promise<CapCount[]> {
  await tx.ask(locking(allMessages));
  return listCapCounts(tx);
}
const locking = statement(`
  insert into sms_days as d (day, dial_code, queued) values (${today}, $1, 0)
  on conflict (day, dial_code) do update set queued = d.queued`);
