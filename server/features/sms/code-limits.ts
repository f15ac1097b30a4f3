import { createHmac } from 'node:crypto';
import { otpLifetimeSeconds } from '#contract/auth.ts';
import type { Db } from '#server/database/connect.ts';
import { bool, int } from '#server/database/row-kinds.ts';
import { none, statement } from '#server/database/statement.ts';
import { networkKey } from '#server/http/addresses.ts';
import { breakerLimits, sourceLimits } from '#server/process/sending-limits.ts';
import { allMessages, dialCodeOf, hasRoom, listCapCounts, type SmsClass } from './caps.ts';

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

const readingSource = statement({ pending: int, entered: int, isAnyYoung: bool, secondsLeft: int })(`
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
 * Seconds until a source may request a code again after too many unentered ones, or 0. Once a message was `queued` it checks
 * whether that was one too many, exactly, under the lock of the caps.
 */
export async function secondsUntilSourceMayAsk(
  db: Db,
  source: CodeSource | undefined,
  { isTrusted, queued = false }: { isTrusted: boolean; queued?: boolean },
): Promise<number> {
  if (!source) return 0;
  const { address, network } = source;
  const [[own], [near]] = await db.ask(
    readingSource(network, address, isTrusted),
    readingSource(network, null, isTrusted),
  );
  const waits = [
    { row: own, free: sourceLimits.address },
    { row: near, free: sourceLimits.network },
  ].map(({ row, free }) => {
    if (!row || row.pending + (queued ? 0 : 1) <= free + row.entered) return 0;
    return row.isAnyYoung ? sourceLimits.retryAfterSeconds : Math.max(1, row.secondsLeft);
  });
  return Math.max(...waits);
}

const readingBreaker = statement({ sent: int, converted: int })(`
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
         coalesce(sum(converted), 0)::int as converted
  from by_address`);

/** Whether too few of a country's codes were entered of late. No address counts for much. */
async function isBreakerOpen(db: Db, dialCode: string): Promise<boolean> {
  const [[figures]] = await db.ask(readingBreaker(dialCode));
  const { sent, converted } = figures ?? { sent: 0, converted: 0 };
  return sent >= breakerLimits.codes && converted * 100 < sent * breakerLimits.percent;
}

/** Seconds until caps and breaker let a code of a class go, or 0. A breaker stops strangers' sign-ups alone. */
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
const converting = statement(none)(`
  update sms_messages set converted_at = now() where flow_id = $1 and kind = 'code' and converted_at is null`);
