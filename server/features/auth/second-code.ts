import type { Db } from '#server/database/connect.ts';
import { int } from '#server/database/row-kinds.ts';
import { statement } from '#server/database/statement.ts';
import { secondCodeLimits } from '#server/process/sending-limits.ts';
import type { Purpose } from './store.ts';

// A right code that sufficed proves its flow and takes back its own wrong tries. Of callers without the flow's cookie only
// a right code takes back theirs (`proveFlow`).
const ofUnknown = `
  c.stranger_attempts + case when f.is_known or f.proven_at is not null then 0 else c.attempts end`;
const ofKnown = 'case when f.is_known and f.proven_at is null then c.attempts else 0 end';

const counting = statement({ ofAll: int, ofNumber: int })(`
  select coalesce(sum(${ofUnknown}) filter (
           where c.created_at > now() - make_interval(secs => ${secondCodeLimits.ofAllSeconds})), 0)::int as "ofAll",
         coalesce(sum(case when $3::boolean then ${ofKnown} else ${ofUnknown} end) filter (where c.phone = $2), 0)::int
           as "ofNumber"
  from otp_codes c join otp_flows f on f.id = c.flow_id
  where f.purpose = $1 and (c.created_at > now() - make_interval(secs => ${secondCodeLimits.ofAllSeconds})
    or (c.phone = $2 and c.created_at > now() - make_interval(secs => ${secondCodeLimits.ofNumberSeconds})))`);

/**
 * Whether a right code suffices, by recent wrong ones: of the number, and of all unless the account knows the browser. The
 * try is committed before, so each of a burst counts those before it.
 */
export async function codeSuffices(
  db: Db,
  { purpose, phone, browserKnown }: { purpose: Purpose; phone: string; browserKnown: boolean },
): Promise<boolean> {
  const [[counted]] = await db.ask(counting(purpose, phone, browserKnown));
  if (!counted) throw new Error('tries that cannot be counted');
  const { ofAll, ofNumber } = counted;
  return (browserKnown || ofAll <= secondCodeLimits.ofAll) && ofNumber <= secondCodeLimits.ofNumber;
}
