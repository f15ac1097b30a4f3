import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { rows, sql } from '#server/database/rows.ts';
import { sendingCaps } from './limits.ts';

/** A country's cap and the SMS counted against it in this day (UTC). */
export interface CapUse {
  queued: number;
  /** Codes for unknown browsers, including those of sign-ups. */
  ofUnknownBrowsers: number;
  cap: number;
}

/** Whether a cap allows one more message. Codes for unknown browsers leave a quarter of it to decisions and known browsers. */
export function hasRoom({ queued, ofUnknownBrowsers, cap }: CapUse, isUnknownBrowser: boolean): boolean {
  const kept = Math.floor((cap * sendingCaps.keptPercent) / 100);
  return queued < cap && (!isUnknownBrowser || ofUnknownBrowsers < cap - kept);
}

/** The dial code that a number's messages are counted under: '226'. */
export const dialCodeOf = (e164: string): string => e164.slice(1, 4);

/** Locks a country's cap: until the transaction ends, no other message to it is counted or queued. So the cap holds under any burst. */
export async function lockCountry(tx: Db, dialCode: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sms:${dialCode}`}, 0))`);
}

const dialCodes = countries.map(({ code }) => code.slice(1));

/** Today's use of each country's cap, by dial code. Refused and expired messages do not count. */
export async function readCapUse(db: Db): Promise<Map<string, CapUse>> {
  const found = await rows<CapUse & { dialCode: string }>(
    db,
    sql`
      select dial_code as "dialCode", count(m.id)::int as queued,
        count(m.id) filter (where m.kind = 'code' and not m.is_trusted)::int as "ofUnknownBrowsers",
        coalesce((select per_country_and_day from sms_settings), ${sendingCaps.perCountryAndDay})::int as cap
      from unnest(${sql.param(dialCodes)}::text[]) as dial_code
      left join sms_messages m on substr(m.recipient, 2, 3) = dial_code and m.status in ('queued', 'sent')
        and m.created_at >= date_trunc('day', now(), 'UTC')
      group by dial_code`,
  );
  return new Map(found.map(({ dialCode, ...use }) => [dialCode, use]));
}
