import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { beneficiaryNameLength } from '#contract/beneficiaries.ts';
import { createdAt, updatedAt } from '#server/database/columns.ts';
import { ofUser } from '#server/features/users/tables.ts';

/** The names that a person gave to numbers. */
export const beneficiaries = pgTable(
  'beneficiaries',
  {
    userId: ofUser(),
    /** E.164. */
    phone: text().notNull(),
    name: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.phone] }),
    check('beneficiaries_phone', sql`${t.phone} ~ '^\\+[0-9]{8,15}$'`),
    check('beneficiaries_name', sql`length(${t.name}) between 1 and ${sql.raw(String(beneficiaryNameLength))}`),
  ],
);
