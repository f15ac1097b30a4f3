import { createHmac } from 'node:crypto';
import { otpLifetimeSeconds } from '#contract/auth.ts';
import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';
import { networkKey } from '#server/http/networks.ts';
import { sourceLimits } from '#server/process/sending-limits.ts';

/** Who asked for a code: hashes that tell whether two were asked for from one address or network, and nothing else. */
export interface CodeSource {
  address: string;
  network: string;
}

/** The source of an address by its key; undefined where that says nothing about who asks. */
export function sourceOf(secret: string, address: string): CodeSource | undefined {
  const network = networkKey(address);
  if (!network) return undefined;
  const hash = (text: string) => createHmac('sha256', secret).update(`source|${text}`).digest('base64url');
  return { address: hash(`address|${address}`), network: hash(`network|${network}`) };
}

const reading = statement<{ pending: number; entered: number; isAnyYoung: boolean; secondsLeft: number }>(`
  select count(*) filter (where converted_at is null)::int as pending, count(converted_at)::int as entered,
         coalesce(bool_or(converted_at is null and created_at > now() - make_interval(secs => ${otpLifetimeSeconds})), false)
           as "isAnyYoung",
         coalesce(ceil(extract(epoch from min(created_at) filter (where converted_at is null) - now())
           + ${sourceLimits.windowSeconds}), 0)::int as "secondsLeft"
  from sms_messages
  where source_network = $1 and ($2::text is null or source_address = $2) and is_trusted = $3 and kind = 'code'
    and (status in ('queued', 'sent') or delivery = 'delivered')
    and created_at > now() - make_interval(secs => ${sourceLimits.windowSeconds})`);

/**
 * Seconds until a source may request a code again, since too many of its last day's were never entered; 0 when it may now.
 * After a message was `queued` the same call checks whether it was one too many. The lock of the caps makes that exact
 * under any burst.
 */
export async function secondsUntilSourceMayAsk(
  db: Db,
  source: CodeSource | undefined,
  { isTrusted, queued = false }: { isTrusted: boolean; queued?: boolean },
): Promise<number> {
  if (!source) return 0;
  const { address, network } = source;
  const [[own], [near]] = await db.ask(reading(network, address, isTrusted), reading(network, null, isTrusted));
  const waits = [
    { row: own, free: sourceLimits.address },
    { row: near, free: sourceLimits.network },
  ].map(({ row, free }) => {
    if (!row || row.pending + (queued ? 0 : 1) <= free + row.entered) return 0;
    return row.isAnyYoung ? sourceLimits.retryAfterSeconds : Math.max(1, row.secondsLeft);
  });
  return Math.max(...waits);
}
