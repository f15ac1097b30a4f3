import type { Db } from '#server/database/connect.ts';
import { requireRow, sql } from '#server/database/rows.ts';
import { secondCodeLimits } from './limits.ts';
import type { Purpose } from './store.ts';

// Wrong tries that count. A right code that suffices proves its flow, and its own browser's wrong tries no longer count. Other browsers'
// tries are reset only by a right code of theirs (`proveFlow`).
const ofUnknown = sql`
  c.stranger_attempts + case when f.is_known or f.proven_at is not null then 0 else c.attempts end`;
const ofKnown = sql`case when f.is_known and f.proven_at is null then c.attempts else 0 end`;

/**
 * Whether a right code suffices, given recent wrong codes: of the number, and, in an unknown browser, of all numbers. The current try is
 * committed already, so each of a burst counts the earlier ones.
 */
export async function codeSuffices(
  db: Db,
  { purpose, phone, isKnownBrowser }: { purpose: Purpose; phone: string; isKnownBrowser: boolean },
): Promise<boolean> {
  const { ofAllSeconds, ofNumberSeconds } = secondCodeLimits;
  const { ofAll, ofNumber } = await requireRow<{ ofAll: number; ofNumber: number }>(
    db,
    sql`
      select coalesce(sum(${ofUnknown}) filter (where c.created_at > now() - make_interval(secs => ${ofAllSeconds})), 0)::int
               as "ofAll",
             coalesce(sum(${isKnownBrowser ? ofKnown : ofUnknown}) filter (where c.phone = ${phone}), 0)::int as "ofNumber"
      from otp_codes c join otp_flows f on f.id = c.flow_id
      where f.purpose = ${purpose} and (c.created_at > now() - make_interval(secs => ${ofAllSeconds})
        or (c.phone = ${phone} and c.created_at > now() - make_interval(secs => ${ofNumberSeconds})))`,
  );
  return (isKnownBrowser || ofAll <= secondCodeLimits.ofAll) && ofNumber <= secondCodeLimits.ofNumber;
}
