import { createHmac } from 'node:crypto';
import type { Db } from '#server/database/connect.ts';
import { rows, sql } from '#server/database/rows.ts';
import { networkKey } from '#server/http/addresses.ts';
import { dialCodeOf, hasRoom, readCapUse } from './caps.ts';
import { sourceLimits } from './limits.ts';

/** The source of a request for a code: hashes that only show whether two sources share an address or network. */
export interface CodeSource {
  address: string;
  network: string;
}

/** The source for an address key; undefined for an address that does not identify the caller. */
export function sourceOf(secret: string, address: string): CodeSource | undefined {
  const network = networkKey(address);
  if (!network) return undefined;
  const hash = (text: string) => createHmac('sha256', secret).update(`source|${text}`).digest('base64url');
  return { address: hash(`address|${address}`), network: hash(`network|${network}`) };
}

/** Locks a network: until the transaction ends, no other code for it is counted or sent. So the limits hold under any burst. */
export async function lockSource(tx: Db, { network }: CodeSource): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sms-source:${network}`}, 0))`);
}

const { hourSeconds, daySeconds, addressAnHour, addressADay, networkADay } = sourceLimits;

const counting = ({ address, network }: CodeSource) => sql`
  with codes as (
    select created_at, converted_at, source_address = ${address} as is_own from sms_messages
    where source_network = ${network} and kind = 'code' and status in ('queued', 'sent')
      and created_at > now() - make_interval(secs => ${daySeconds})
  ), limits (is_own, seconds, at_most) as (
    values (true, ${hourSeconds}::int, ${addressAnHour}::int), (true, ${daySeconds}, ${addressADay}), (false, ${daySeconds}, ${networkADay})
  ), counted as (
    select seconds, at_most, count(*) filter (where converted_at is null) as pending, count(converted_at) as entered,
      count(*) filter (where converted_at is null and created_at > now() - make_interval(secs => seconds)) as recent,
      min(created_at) filter (where converted_at is null and created_at > now() - make_interval(secs => seconds)) as oldest
    from limits join codes on codes.is_own or not limits.is_own group by limits.is_own, seconds, at_most
  )
  select greatest(1, ceil(extract(epoch from oldest - now()) + seconds))::int as "secondsLeft"
  from counted where recent >= at_most and entered < pending`;

/**
 * Seconds until a source may ask for another code, or 0. It waits after too many unentered codes, if fewer than half of the day's were
 * entered.
 */
export async function secondsUntilSourceMayAsk(db: Db, source: CodeSource): Promise<number> {
  const found = await rows<{ secondsLeft: number }>(db, counting(source));
  return Math.max(0, ...found.map(({ secondsLeft }) => secondsLeft));
}

/** Seconds until the cap of a number's country allows a code, or 0. */
export async function secondsUntilCodesGo(db: Db, phone: string, isKnownBrowser: boolean): Promise<number> {
  const use = (await readCapUse(db)).get(dialCodeOf(phone));
  return use && !hasRoom(use, !isKnownBrowser) ? secondsLeftOfDay() : 0;
}

/** Seconds until the day of the caps (UTC) ends. */
export function secondsLeftOfDay(): number {
  const day = 86_400;
  return day - (Math.floor(Date.now() / 1000) % day);
}

/** Records that a flow's code was entered, so that its messages count as wanted. */
export async function recordConversion(tx: Db, flowId: string): Promise<void> {
  await tx.execute(sql`
    update sms_messages set converted_at = now() where flow_id = ${flowId} and kind = 'code' and converted_at is null`);
}
