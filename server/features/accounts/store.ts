import { and, desc, eq, gt, isNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { AccountKind } from '#contract/accounts.ts';
import { searchedWords } from '#contract/fold.ts';
import { withoutSeparators } from '#contract/read-phone.ts';
import type { Db } from '#server/database/connect.ts';
import { capped, fewOf, requireRow } from '#server/database/rows.ts';
import { deleteBatch, isOlderThan } from '#server/database/store.ts';
import { sessions } from '#server/features/entry/sessions-tables.ts';
import { userTotal } from '#server/features/tickets/tallies-store.ts';
import { holds } from '#server/features/users/store.ts';
import { users } from '#server/features/users/tables.ts';
import { retentionSeconds } from './limits.ts';

interface UserListQuery {
  limit: number;
  before?: number | undefined;
  search?: string | undefined;
  kind?: AccountKind | undefined;
  countryCode?: string | undefined;
}

const isRegistered = sql`not ${users.isGuest}`;
const kinds: Record<AccountKind, SQL> = {
  registered: isRegistered,
  verified: sql`${users.isVerified} and not ${users.isAdmin}`,
  unverified: sql`not (${users.isVerified} or ${users.isGuest} or ${users.isAdmin})`,
  deactivated: sql`${users.deactivatedAt} is not null`,
  admin: sql`${users.isAdmin}`,
  guest: sql`${users.isGuest}`,
};
/** Guests are few, since they are deleted soon. */
const registeredTotal = sql<number>`(${userTotal} - (select count(*) from ${users} where ${users.isGuest}))::int`;

/** Users, newest first, and their count, up to 10,000 for a search or filter: one statement, so that both agree. */
export async function listUsers(db: Db, { limit, before, search, kind, countryCode }: UserListQuery) {
  const isOf = and(
    search ? matches(search) : undefined,
    countryCode ? and(isRegistered, eq(users.countryCode, countryCode)) : undefined,
    kind && kinds[kind],
  );
  const isNarrow = Boolean(search || countryCode || (kind && kind !== 'registered'));
  const whole = kind ? registeredTotal : userTotal;
  const inAll = isNarrow ? fewOf(sql`select 1 from ${users} where ${isOf}`) : whole;
  const found = await db
    .select({ row: users, inAll })
    .from(users)
    .where(and(isOf, before ? lt(users.id, before) : undefined))
    .orderBy(desc(users.id))
    .limit(limit);
  // An empty page has no row with the count.
  const total = found[0]?.inAll ?? (await requireRow<{ total: number }>(db, sql`select ${inAll} as total`)).total;
  return { rows: found.map(({ row }) => row), count: isNarrow ? capped(total) : { total, capped: false } };
}

/** Matches every word in name, e-mail address or number, in any order and spelling; or a phone number in any spelling. */
function matches(search: string): SQL | undefined {
  const number = withoutSeparators(search).replace(/^00(?=22)/, '+');
  return /^\+?\d+$/.test(number) ? or(holds(search), holds(number)) : and(...searchedWords(search).map(holds));
}

/** Deletes guests whose last session ended long ago, `limit` at most; answers how many. */
export async function deleteExpiredGuests(db: Db, limit: number): Promise<number> {
  const longAgo = sql`now() - make_interval(secs => ${retentionSeconds.guests})`;
  const recent = db
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.userId, users.id), gt(sessions.expire, longAgo)));
  const where = and(eq(users.isGuest, true), lt(users.createdAt, longAgo), notExists(recent));
  return deleteBatch(db, { table: users, key: users.id, where, limit });
}

/** Deletes accounts whose number was not verified within a day of the last sign-up, `limit` at most; answers how many. */
export async function deleteNeverVerified(db: Db, limit: number): Promise<number> {
  const where = and(
    sql`not (${users.isVerified} or ${users.isGuest} or ${users.isAdmin})`,
    isNull(users.deactivatedAt),
    isOlderThan(users.updatedAt, retentionSeconds.neverVerified),
  );
  return deleteBatch(db, { table: users, key: users.id, where, limit });
}
