import { createHash } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql } from 'drizzle-orm';
import { otpCoolDownSeconds, otpLifetimeSeconds, otpTries } from '#contract/auth.ts';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch, insertRow, isOlderThan } from '#server/database/store.ts';
import { rateLimitCounters } from '#server/database/tables.ts';
import { deleteUserSubscriptions } from '#server/features/push/store.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { users } from '#server/features/users/tables.ts';
import { codeLimits, retentionSeconds } from './limits.ts';
import { deleteUserSessions } from './sessions-store.ts';
import { type Claim, otpCodes, otpFlows, resetTokens } from './tables.ts';

export type Purpose = 'signup' | 'reset';
export type Flow = typeof otpFlows.$inferSelect;

/** Locks a number and purpose: until the transaction ends, no other one counts or sends codes for them. */
export async function lockNumber(db: Db, phone: string, purpose: Purpose): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`otp:${purpose}:${phone}`}, 0))`);
}

export const createFlow = (
  db: Db,
  {
    key = null,
    ...flow
  }: { phone: string; purpose: Purpose; claim: Claim | null; key?: string | null; isKnownBrowser?: boolean },
): Promise<Flow> => insertRow(db, otpFlows, { ...flow, keyHash: key && hashKey(key) });
const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

/** What identifies a repeated sign-up or reset of the same browser. */
export interface RetryOf {
  /** The flow of its cookie. */
  flowId?: string | undefined;
  /** The key of its form, in case the first answer was lost with its cookie. */
  key?: string | undefined;
}

/** A browser's open flow: that of its cookie, else of its form. */
export async function findOwnFlow(
  db: Db,
  { flowId, key = '' }: RetryOf,
  phone: string,
  purpose: Purpose,
): Promise<Flow | undefined> {
  const isCookies = sql<boolean>`${otpFlows.id} is not distinct from ${flowId ?? null}::uuid`;
  const [row] = await db
    .select()
    .from(otpFlows)
    .where(and(or(isCookies, eq(otpFlows.keyHash, hashKey(key))), isOpen(phone, purpose)))
    .orderBy(desc(isCookies))
    .limit(1);
  return row;
}
const isOpen = (phone: string, purpose: Purpose) =>
  and(
    eq(otpFlows.phone, phone),
    eq(otpFlows.purpose, purpose),
    isNull(otpFlows.closedAt),
    gt(otpFlows.createdAt, sql`now() - make_interval(secs => ${codeLimits.daySeconds})`),
  );

/** Whether this flow's code has verified the number, so that the account has the flow's data. The browser may have lost the answer. */
export async function isProvenFlow(db: Db, id: string, phone: string): Promise<boolean> {
  const proven = await db
    .select({ id: otpFlows.id })
    .from(otpFlows)
    .innerJoin(users, eq(users.phone, otpFlows.phone))
    .where(
      and(
        eq(otpFlows.id, id),
        eq(otpFlows.phone, phone),
        isNotNull(otpFlows.closedAt),
        users.isVerified,
        eq(users.password, sql`${otpFlows.claim} ->> 'password'`),
      ),
    );
  return proven.length > 0;
}

/** The open flows of a number, started in the last day, newest first. */
export async function listOpenFlows(db: Db, phone: string, purpose: Purpose): Promise<Flow[]> {
  return db.select().from(otpFlows).where(isOpen(phone, purpose)).orderBy(desc(otpFlows.createdAt));
}

/** Replaces what a flow will apply when it is proven. */
export async function setClaim(db: Db, id: string, claim: Claim): Promise<void> {
  await db.update(otpFlows).set({ claim }).where(eq(otpFlows.id, id));
}

/** Seconds until the next code for a number and purpose, or 0. A second code has no cool-down. */
export async function secondsUntilNextCode(
  db: Db,
  phone: string,
  purpose: Purpose,
  { isSecond = false }: { isSecond?: boolean } = {},
): Promise<number> {
  const [row] = await db
    .select({
      sent: sql<number>`count(*)::int`,
      sinceLast: sql<number>`coalesce(extract(epoch from now() - max(${otpCodes.createdAt})), 0)::float8`,
      sinceFirst: sql<number>`coalesce(extract(epoch from now() - min(${otpCodes.createdAt})), 0)::float8`,
    })
    .from(otpCodes)
    .innerJoin(otpFlows, eq(otpFlows.id, otpCodes.flowId))
    .where(
      and(
        eq(otpCodes.phone, phone),
        eq(otpFlows.purpose, purpose),
        gt(otpCodes.createdAt, sql`now() - make_interval(secs => ${codeLimits.daySeconds})`),
      ),
    );
  if (!row?.sent) return 0;
  if (row.sent >= codeLimits.perNumberAndDay) return Math.max(1, Math.ceil(codeLimits.daySeconds - row.sinceFirst));
  if (isSecond) return 0;
  const pause = otpCoolDownSeconds[Math.min(row.sent, otpCoolDownSeconds.length) - 1] as number;
  return Math.max(0, Math.ceil(pause - row.sinceLast));
}

/** Stores a code of a flow, and invalidates the earlier one. */
export async function saveCode(
  db: Db,
  flow: Flow,
  { hashed, isSecond }: { hashed: string; isSecond: boolean },
): Promise<void> {
  await db
    .update(otpCodes)
    .set({ isUsed: true })
    .where(and(eq(otpCodes.flowId, flow.id), eq(otpCodes.isUsed, false)));
  await db.insert(otpCodes).values({
    flowId: flow.id,
    phone: flow.phone,
    code: hashed,
    isSecond,
    expiresAt: sql`now() + make_interval(secs => ${otpLifetimeSeconds})`,
  });
}

const live = and(eq(otpCodes.isUsed, false), gt(otpCodes.expiresAt, sql`now()`), lt(otpCodes.attempts, otpTries));

/** A number's flows with a live code, and whether that is a second code. */
export async function listFlowsWithLiveCode(db: Db, phone: string, purpose: Purpose) {
  return db
    .select({ flow: otpFlows, isSecond: otpCodes.isSecond })
    .from(otpFlows)
    .innerJoin(otpCodes, eq(otpCodes.flowId, otpFlows.id))
    .where(and(isOpen(phone, purpose), live));
}

/**
 * Takes a try of a flow's live code, atomically, and answers the code. Other browsers than the flow's have tries of their own, but none
 * for a second code.
 */
export async function takeTry(db: Db, flowId: string, { isOtherBrowser }: { isOtherBrowser: boolean }) {
  const ofOthers = and(eq(otpCodes.isSecond, false), lt(otpCodes.otherAttempts, otpTries));
  const [row] = await db
    .update(otpCodes)
    .set(
      isOtherBrowser
        ? { otherAttempts: sql`${otpCodes.otherAttempts} + 1` }
        : { attempts: sql`${otpCodes.attempts} + 1` },
    )
    .where(and(eq(otpCodes.flowId, flowId), live, isOtherBrowser ? ofOthers : undefined))
    .returning({ id: otpCodes.id, hashed: otpCodes.code, isSecond: otpCodes.isSecond });
  return row;
}

/**
 * Records that a flow's code was entered. The browser's own wrong codes then no longer count; those of other browsers do, unless the
 * right code came from one.
 */
export async function proveFlow(
  db: Db,
  flowId: string,
  { isOtherBrowser }: { isOtherBrowser: boolean },
): Promise<void> {
  await db.update(otpFlows).set({ provenAt: sql`now()` }).where(eq(otpFlows.id, flowId));
  if (isOtherBrowser) await db.update(otpCodes).set({ otherAttempts: 0 }).where(eq(otpCodes.flowId, flowId));
}

/** Spends a code; false if another call was faster. */
export async function spendCode(db: Db, id: number): Promise<boolean> {
  const used = await db
    .update(otpCodes)
    .set({ isUsed: true })
    .where(and(eq(otpCodes.id, id), eq(otpCodes.isUsed, false)))
    .returning({ id: otpCodes.id });
  return used.length > 0;
}

/** Stores a reset token's hash, the user's only one. */
export async function saveResetToken(db: Db, userId: number, token: string): Promise<void> {
  await deleteResetTokens(db, userId);
  await db
    .insert(resetTokens)
    .values({ token, userId, expiresAt: sql`now() + make_interval(secs => ${codeLimits.resetTokenSeconds})` });
}

/** The user of a live token. To spend it, lock that user first: every command that needs both locks in that order. */
export async function findTokenOwner(db: Db, token: string): Promise<number | undefined> {
  const [row] = await db.select({ userId: resetTokens.userId }).from(resetTokens).where(isLiveToken(token));
  return row?.userId;
}
const isLiveToken = (token: string) => and(eq(resetTokens.token, token), gt(resetTokens.expiresAt, sql`now()`));

/** Spends a token; false if it was spent or has expired. */
export async function spendResetToken(db: Db, token: string): Promise<boolean> {
  const { rowCount } = await db.delete(resetTokens).where(isLiveToken(token));
  return rowCount === 1;
}

/** Closes a number's flows, of one purpose or of all. Their codes become invalid, and still count towards the day's. */
export async function closeFlows(db: Db, phone: string, purpose?: Purpose): Promise<void> {
  await db
    .update(otpFlows)
    .set({ closedAt: sql`now()` })
    .where(and(eq(otpFlows.phone, phone), purpose && eq(otpFlows.purpose, purpose)));
}

export async function deleteResetTokens(db: Db, userId: number): Promise<void> {
  await db.delete(resetTokens).where(eq(resetTokens.userId, userId));
}

const wrongCodes = sql`exists (
  select from ${otpCodes} where ${otpCodes.flowId} = ${otpFlows.id} and (${otpCodes.otherAttempts} > 0
    or (${otpCodes.attempts} > 0 and ${otpFlows.provenAt} is null)))`;

/** Deletes flows and codes that no counter needs, `limit` at most; answers how many. */
export async function deleteExpiredFlows(db: Db, limit: number): Promise<number> {
  const where = and(
    isOlderThan(otpFlows.createdAt, retentionSeconds.flows),
    or(isOlderThan(otpFlows.createdAt, retentionSeconds.flowsWithWrongCodes), not(wrongCodes)),
  );
  return deleteBatch(db, { table: otpFlows, key: otpFlows.id, where, limit });
}

/** Deletes the claims of flows that are kept only for their wrong codes, `limit` at most; answers how many. */
export async function forgetOldClaims(db: Db, limit: number): Promise<number> {
  const ids = db
    .select({ id: otpFlows.id })
    .from(otpFlows)
    .where(and(isOlderThan(otpFlows.createdAt, retentionSeconds.flows), isNotNull(otpFlows.claim)))
    .limit(limit);
  const { rowCount } = await db
    .update(otpFlows)
    .set({ claim: null, closedAt: sql`coalesce(${otpFlows.closedAt}, now())` })
    .where(inArray(otpFlows.id, ids));
  return rowCount ?? 0;
}

/** Deletes expired reset tokens, `limit` at most; answers how many. */
export async function deleteExpiredTokens(db: Db, limit: number): Promise<number> {
  const where = lt(resetTokens.expiresAt, sql`now()`);
  return deleteBatch(db, { table: resetTokens, key: resetTokens.token, where, limit });
}

/** Resets the failed sign-ins of an account (its `accountKey`), from every address and browser. */
export async function forgetAttempts(db: Db, account: string): Promise<void> {
  await db
    .delete(rateLimitCounters)
    .where(sql`key like 'signIn%' and split_part(split_part(key, ':', 2), ' ', 1) = ${account}`);
}

/** Ends all access to an account: sessions, codes, reset tokens and push subscriptions. */
export async function endAccountAccess(tx: Db, user: Pick<UserRow, 'id' | 'phone'>): Promise<void> {
  await deleteUserSessions(tx, user.id);
  await deleteUserSubscriptions(tx, user.id);
  await deleteResetTokens(tx, user.id);
  await closeFlows(tx, user.phone);
}
