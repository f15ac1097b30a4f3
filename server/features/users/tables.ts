import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';

/** A guest is a row too: its phone is `guest:<uuid>`, which takes neither a sign-in nor an SMS. */
export const users = pgTable(
  'users',
  {
    id: id(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    phone: text().notNull().unique(),
    email: text(),
    /** When this account gave its present address: at a sign-in by an address the first to give it come first. */
    emailSince: at().notNull().defaultNow(),
    /** argon2id in PHC form; none until a code proved the number, nor for guests. */
    password: text(),
    isGuest: boolean().notNull().default(false),
    isVerified: boolean().notNull().default(false),
    isAdmin: boolean().notNull().default(false),
    countryCode: text().notNull().default('+226'),
    /** Set while an administrator keeps the account closed. */
    deactivatedAt: at(),
    /** Name, e-mail and number, folded (see the function `fold_text`); a trigger keeps it, also where it is null for a while. */
    searchText: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // Nobody proves an address, so that several may give the same.
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

/** The column of whose row it is; it goes with them. */
export const ofUser = () =>
  integer()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
