import type { Db } from '#server/database/connect.ts';
import { rows, type Sql, sql } from '#server/database/rows.ts';
import { followsFromNothing } from './balances.ts';
import { paymentFeedLimits } from './limits.ts';
import { isSilent } from './store.ts';

/** The labels of the accounts that meet an SQL condition on the account `a`. */
export async function listAccounts(db: Db, condition: Sql): Promise<{ name: string }[]> {
  return rows(db, sql`select a.label as name from payment_accounts a where ${condition} order by a.id`);
}

/** Active accounts with a source that was active, but not in the last day. */
export const silentAccounts = sql`a.is_active and exists (select from payment_sources s where s.account_id = a.id and ${isSilent})`;

/** Active accounts with a source whose last call was refused for its signature, or, from Wave's server, its time. */
export const refusedAccounts = sql`a.is_active and exists (select from payment_sources s
       where s.account_id = a.id and (s.trouble = 'signature' or s.kind = 'wave' and s.trouble = 'clock'))`;

/** Active accounts with too many unread messages in the last day. */
export const unreadAccounts = sql`a.is_active and (select count(*) >= ${paymentFeedLimits.shareMessages}
       and count(*) filter (where state = 'unread') > count(*) * ${paymentFeedLimits.unreadShare}::float8
       from payment_messages where account_id = a.id and received_at > now() - interval '1 day')`;

/** Active accounts with an SMS of the last day whose balance follows from no line. */
export const unchainedAccounts = sql`a.is_active and exists (select from payment_lines l
       where l.account_id = a.id and ${followsFromNothing})`;

/** Accounts with lines that failed or were reversed after they paid a ticket. */
export const reversedAccounts = sql`exists (select from payment_lines l
       join payment_matches m on m.line_id = l.id and m.undone_at is null
       where l.account_id = a.id and l.direction = 'in'
         and (l.state in ('failed', 'reversed') or l.taken_back is not null))`;
