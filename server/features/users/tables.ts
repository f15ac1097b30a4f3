import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';

/** Guests are rows too. Their phone is `guest:<uuid>`, for which no sign-in and no SMS is possible. */
export const users = pgTable(
  'users',
  {
    id: id(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    phone: text().notNull().unique(),
    email: text(),
    /** When this account gave its present e-mail address: sign-ins by address try the earliest first. */
    emailSince: at().notNull().defaultNow(),
    /** argon2id in PHC form; null until a code proves the number, and for guests. */
    password: text(),
    isGuest: boolean().notNull().default(false),
    isVerified: boolean().notNull().default(false),
    isAdmin: boolean().notNull().default(false),
    countryCode: text().notNull().default('+226'),
    /** Set while the account is closed by an administrator. */
    deactivatedAt: at(),
    /** Name, e-mail and number, folded by `fold_text`. A trigger sets it; it is null for a moment. */
    searchText: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // Addresses are not proven, so several people may give the same one.
    index('users_email').on(sql`lower(${t.email})`).where(sql`${t.email} is not null and ${t.isVerified}`),
    index('users_never_verified')
      .on(t.updatedAt)
      .where(sql`not (${t.isVerified} or ${t.isGuest} or ${t.isAdmin}) and ${t.deactivatedAt} is null`),
    index('users_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    index('users_guests').on(t.id).where(sql`${t.isGuest}`),
    check('users_phone_form', sql`${t.phone} ~ '^(\\+(226|225|223|227|229|228|221)[0-9]{8,10}|guest:[0-9a-f-]{36})$'`),
    check('users_guest_phone', sql`${t.isGuest} = starts_with(${t.phone}, 'guest:')`),
    check('users_guest_rights', sql`not (${t.isGuest} and (${t.isAdmin} or ${t.isVerified}))`),
    check('users_password', sql`not ${t.isAdmin} or ${t.password} is not null`),
    check('users_country', sql`${t.countryCode} in ('+226', '+225', '+223', '+227', '+229', '+228', '+221')`),
    check('users_deactivated', sql`${t.deactivatedAt} is null or not (${t.isVerified} or ${t.isAdmin})`),
  ],
);

/** The user of a row; deleting the user deletes the row. */
export const ofUser = () =>
  integer()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
