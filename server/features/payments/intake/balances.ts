import type { Db } from '#server/database/connect.ts';
import { rows, sql } from '#server/database/rows.ts';
import { paymentFeedLimits } from './limits.ts';

/** What the balances in SMS prove about their lines. */
export interface Balances {
  /** Lines whose balance follows from that of a settled or approved line, directly or through other SMS. */
  followed: ReadonlySet<number>;
  /** Accounts with an SMS whose balance follows from no line. */
  broken: ReadonlySet<number>;
}

/**
 * Whether another line `before` of the account has the balance from which the line `l` follows. Some wallets take their fee from the
 * balance, others do not.
 */
export const followsFromBefore = sql`before.account_id = l.account_id and before.id <> l.id and before.balance_after in (
    l.balance_after - (case l.direction when 'in' then l.gross else -l.gross end) * 100::bigint,
    l.balance_after - (case l.direction when 'in' then l.gross else -l.gross end) * 100::bigint + coalesce(l.fee, 0))`;

/**
 * Whether `l` is an SMS payment of the last day, neither approved nor ignored, whose balance follows from no earlier line. An account's
 * first line needs no earlier one.
 */
export const followsFromNothing = sql`l.state = 'announced' and l.direction = 'in' and l.balance_after is not null
  and not l.is_ignored and not l.is_matched and l.created_at > now() - interval '1 day'
  and exists (select from payment_lines before where before.account_id = l.account_id and before.id <> l.id
    and before.balance_after is not null and before.paid_at between l.paid_at - interval '7 days' and l.paid_at)
  and not exists (select from payment_lines before where ${followsFromBefore})`;

interface Step {
  id: number;
  /** The line that follows from this one. */
  next: number | null;
  /** Whether a statement, a wallet's server or a person confirmed it, so that it needs no earlier line. */
  isConfirmed: boolean;
}

/**
 * Finds the lines from which the balances of these SMS follow. SMS do not confirm each other: the first of a chain must be confirmed.
 * Chains longer than the limit prove nothing.
 */
export async function readBalances(db: Db, lines: readonly { id: number; accountId: number }[]): Promise<Balances> {
  if (lines.length === 0) return { followed: new Set(), broken: new Set() };
  const ids = sql`${sql.param(lines.map(({ id }) => id))}::int[]`;
  const accountIds = sql`${sql.param([...new Set(lines.map(({ accountId }) => accountId))])}::int[]`;
  const steps = await rows<Step>(
    db,
    sql`
        with recursive steps as (
          select l.id, null::int as next, false as "isConfirmed", l.account_id, l.direction, l.gross, l.fee, l.balance_after, l.paid_at
          from payment_lines l where l.id = any(${ids})
          union
          select before.id, l.id, before.state = 'settled' or before.is_matched, before.account_id, before.direction, before.gross,
            before.fee, before.balance_after, before.paid_at
          from steps l join payment_lines before on ${followsFromBefore}
            and before.paid_at between l.paid_at - interval '7 days' and l.paid_at + interval '10 minutes'
            and before.state <> 'failed' and (before.state = 'settled' or before.is_matched or before.is_trusted)
          where not l."isConfirmed"
        )
        select id, next, "isConfirmed" from steps limit ${paymentFeedLimits.balanceSteps}`,
    'prepared',
  );
  const broken = await rows<{ id: number }>(
    db,
    sql`select a.id from payment_accounts a where a.id = any(${accountIds})
            and exists (select from payment_lines l where l.account_id = a.id and ${followsFromNothing})`,
    'prepared',
  );
  const nextOf = Map.groupBy(steps, ({ id }) => id);
  const followed = new Set<number>();
  const due = steps.filter(({ isConfirmed }) => isConfirmed);
  for (let step = due.pop(); step; step = due.pop())
    if (step.next !== null && !followed.has(step.next)) {
      followed.add(step.next);
      due.push(...(nextOf.get(step.next) ?? []));
    }
  return { followed, broken: new Set(broken.map(({ id }) => id)) };
}
