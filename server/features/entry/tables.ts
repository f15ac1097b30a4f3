import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id } from '#server/database/columns.ts';
import type { AccountDetails } from '#server/features/users/store.ts';
import { ofUser } from '#server/features/users/tables.ts';

/** A sign-up's data; the password is hashed. */
export type Claim = AccountDetails & { password: string };

/** One browser's attempt to prove a number. Its request takes effect only by a code that was sent for this flow. */
export const otpFlows = pgTable(
  'otp_flows',
  {
    id: uuid().primaryKey().defaultRandom(),
    phone: text().notNull(),
    purpose: text({ enum: ['signup', 'reset'] }).notNull(),
    /** The account data that a sign-up applies once its code is proven. It is deleted some days later; a reset has none. */
    claim: jsonb().$type<Claim>(),
    /** SHA-256 of the key that the browser made for its form. */
    keyHash: text(),
    /** Whether the browser that opened it was known to the account. */
    isKnownBrowser: boolean('is_known').notNull().default(false),
    /** When its code was entered. From then on its own browser's wrong tries count as typing errors. */
    provenAt: at(),
    /** No code of a closed flow is accepted or sent. The row stays, since its codes and wrong tries are counted. */
    closedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index('otp_flows_phone').on(t.phone, t.purpose),
    check('otp_flows_purpose', sql`${t.purpose} in ('signup', 'reset')`),
    check(
      'otp_flows_claim',
      sql`(${t.purpose} = 'signup') = (${t.claim} is not null) or (${t.purpose} = 'signup' and ${t.closedAt} is not null)`,
    ),
  ],
);

/** `code` is an HMAC. A number's codes and tries are counted from these rows, so the counts survive a crash. */
export const otpCodes = pgTable(
  'otp_codes',
  {
    id: id(),
    flowId: uuid()
      .notNull()
      .references(() => otpFlows.id, { onDelete: 'cascade' }),
    phone: text().notNull(),
    code: text().notNull(),
    /** Tries of its flow's own browser. */
    attempts: integer().notNull().default(0),
    /** Tries of other browsers: callers without the flow's cookie. */
    otherAttempts: integer('stranger_attempts').notNull().default(0),
    /** Whether it is a second code, sent because a right one did not suffice. */
    isSecond: boolean().notNull().default(false),
    isUsed: boolean().notNull().default(false),
    expiresAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // For the deletion of flows, which cascades to their codes.
    index('otp_codes_flow').on(t.flowId),
    uniqueIndex('otp_codes_one_live').on(t.flowId).where(sql`not ${t.isUsed}`),
    index('otp_codes_phone').on(t.phone, t.createdAt),
    index('otp_codes_created').on(t.createdAt),
    check('otp_codes_attempts', sql`${t.attempts} between 0 and 3`),
    check('otp_codes_stranger_attempts', sql`${t.otherAttempts} between 0 and 3`),
  ],
);

/** `token` is a SHA-256. */
export const resetTokens = pgTable(
  'reset_tokens',
  {
    token: text().primaryKey(),
    userId: ofUser(),
    expiresAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('reset_tokens_user').on(t.userId)],
);
