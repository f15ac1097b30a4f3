import type { Db } from '#server/database/connect.ts';
import { int, text } from '#server/database/row-kinds.ts';
import { none, statement } from '#server/database/statement.ts';
import { requireRow } from '#server/database/store.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';
import { silentSources } from './store.ts';

/** A reversal `r` that names no movement that is known, and that nobody has looked into. */
export const isUnnamed = `r.direction = 'reversal' and r.state <> 'failed' and not r.is_ignored
  and not exists (select from payment_lines named where named.account_id = r.account_id and named.direction <> 'reversal'
    and named.plain_reference = r.plain_reference)`;
const month = `interval '30 days'`;

const countReversed = statement({ label: text, lines: int, unnamed: int })<[accountId: number]>(`
  select a.label, (
    select count(*)::int from payment_lines l
    join payment_matches m on m.line_id = l.id and m.undone_at is null
    where l.account_id = a.id and l.direction = 'in'
      and (l.state in ('failed', 'reversed') or l.anomaly like 'L''opérateur a repris %')) as lines, (
    select count(*)::int from payment_lines r where r.account_id = a.id and ${isUnnamed}
      and exists (select from payment_lines l where l.account_id = a.id and l.direction = 'in' and l.is_matched
        and l.gross = r.gross and l.paid_at between r.paid_at - ${month} and r.paid_at)) as unnamed
  from payment_accounts a where a.id = $1`);

/**
 * Raises or ends the alarm about payments of an account that failed or were taken back after they paid a ticket. A reversal
 * that names no payment counts where one of its amount paid a ticket in the month before, until it is ignored.
 */
export async function updateReversalAlarm(db: Db, accountId: number): Promise<void> {
  const facts = await requireRow(db, countReversed(accountId));
  await updateAlarm(db, 'payment-reversal', facts, String(accountId));
}

/**
 * What of an account's feed is not as it was: hours of a source's silence beyond its habit, messages of a day that no
 * pattern knows, and SMS whose balance does not follow from the line before.
 */
export const readFeeds = statement({
  accountId: int,
  label: text,
  silentHours: int,
  messages: int,
  unread: int,
  unchained: int,
})<[]>(`
  with silent as (
    select account_id, max(extract(epoch from now() - last_seen_at)) as seconds
    from (${silentSources}) sources group by account_id
  ), day as (
    select account_id, count(*)::int as messages, (count(*) filter (where state = 'unread'))::int as unread
    from payment_messages where received_at > now() - interval '1 day' group by account_id
  ), chain as (
    select l.account_id, count(*)::int as unchained from payment_lines l
    where l.state = 'announced' and l.direction = 'in' and l.balance_after is not null and not l.is_ignored
      and l.created_at > now() - interval '1 day'
      and exists (select from payment_lines before where before.account_id = l.account_id and before.id <> l.id
        and before.balance_after is not null and before.paid_at between l.paid_at - interval '7 days' and l.paid_at)
      and not exists (select from payment_lines before where before.account_id = l.account_id and before.id <> l.id
        and before.balance_after = l.balance_after - l.gross * 100::bigint)
    group by l.account_id
  )
  select a.id as "accountId", a.label, coalesce(floor(silent.seconds / 3600), 0)::int as "silentHours",
         coalesce(day.messages, 0) as messages, coalesce(day.unread, 0) as unread,
         coalesce(chain.unchained, 0) as unchained
  from payment_accounts a left join silent on a.is_active and silent.account_id = a.id
  left join day on a.is_active and day.account_id = a.id left join chain on a.is_active and chain.account_id = a.id`);

const giveUp = statement(none)<[]>(`
  update payment_messages set state = 'unread', why = 'La lecture a échoué.'
  where state = 'waiting' and received_at < now() - make_interval(hours => ${paymentFeedLimits.readingHours})`);

/** Looks at every account's feed, and raises or ends its alarms; a person reads what no job could. */
export async function watchFeeds(db: Db): Promise<void> {
  await db.ask(giveUp());
  const [feeds] = await db.ask(readFeeds());
  for (const { accountId, ...facts } of feeds) {
    const subject = String(accountId);
    await updateAlarm(db, 'payment-silence', facts, subject);
    await updateAlarm(db, 'payment-unread', facts, subject);
    await updateAlarm(db, 'payment-balance', facts, subject);
    // A payment may be approved after its reversal came.
    await updateReversalAlarm(db, accountId);
  }
}
