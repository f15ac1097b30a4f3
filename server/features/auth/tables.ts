import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id } from '#server/database/columns.ts';
import type { AccountDetails } from '#server/features/users/store.ts';
import { ofUser } from '#server/features/users/tables.ts';

/** What a sign-up says of a person; the password is its hash. */
export type Claim = AccountDetails & { password: string };

/** One browser's attempt to prove a number: what it asked for is applied only by a code that was sent to it. */
export const otpFlows = pgTable(
  'otp_flows',
  {
    id: uuid().primaryKey().defaultRandom(),
    phone: text().notNull(),
    purpose: text({ enum: ['signup', 'reset'] }).notNull(),
    /** The account that a sign-up claims, and gets once its code is proven; it goes when the flow is long closed. A reset claims none. */
    claim: jsonb().$type<Claim>(),
    /** SHA-256 of the key that the browser made for its form. */
    keyHash: text(),
    /** Whether the browser that began it had signed in to the account before. */
    isKnownBrowser: boolean('is_known').notNull().default(false),
    /** When its code was entered; its wrong tries were typing errors and do not count. */
    provenAt: at(),
    /** From here on no code of it is taken or sent; its row stays, since its codes and their wrong tries are counted. */
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

/** `code` is an HMAC; the counters of a number are counted from these rows, so they survive a crash. */
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
    /** Tries of callers without the flow's cookie. */
    otherAttempts: integer('stranger_attempts').notNull().default(0),
    /** Whether it was sent because a right code did not suffice. */
    isSecond: boolean().notNull().default(false),
    isUsed: boolean().notNull().default(false),
    expiresAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // For the deletion of flows, which takes their codes along.
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
