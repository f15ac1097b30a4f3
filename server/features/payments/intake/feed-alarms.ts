import type { Db } from '#server/database/connect.ts';
import { rows, type Sql, sql } from '#server/database/rows.ts';
import { paymentFeedLimits } from './limits.ts';
import { followsFromNothing } from './balances.ts';
import { isSilent } from './store.ts';

/** The labels of the payment accounts for which the SQL condition on the account `a` holds. */
export async function listAccounts(db: Db, condition: Sql): Promise<{ name: string }[]> {
  return rows(db, sql`select a.label as name from payment_accounts a where ${condition} order by a.id`);
}

/** Active accounts with a source that was heard of, and not for a day. */
export const silentAccounts = sql`a.is_active and exists (select from payment_sources s where s.account_id = a.id and ${isSilent})`;

/** Active accounts with a source whose last call was refused: by its signature, or for Wave's server by its time. */
export const refusedAccounts = sql`a.is_active and exists (select from payment_sources s
       where s.account_id = a.id and (s.trouble = 'signature' or s.kind = 'wave' and s.trouble = 'clock'))`;

/** Active accounts of whose messages of the last day too many match no pattern. */
export const unreadAccounts = sql`a.is_active and (select count(*) >= ${paymentFeedLimits.shareMessages}
       and count(*) filter (where state = 'unread') > count(*) * ${paymentFeedLimits.unreadShare}::float8
       from payment_messages where account_id = a.id and received_at > now() - interval '1 day')`;

/** Active accounts with an SMS of the last day whose balance does not follow from the line before it. */
export const unchainedAccounts = sql`a.is_active and exists (select from payment_lines l
       where l.account_id = a.id and ${followsFromNothing})`;

/** Accounts with payments that failed or were taken back after they paid a ticket. */
export const reversedAccounts = sql`exists (select from payment_lines l
       join payment_matches m on m.line_id = l.id and m.undone_at is null
       where l.account_id = a.id and l.direction = 'in'
         and (l.state in ('failed', 'reversed') or l.taken_back is not null))`;
