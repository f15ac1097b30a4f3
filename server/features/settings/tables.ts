import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { updatedAt } from '#server/database/columns.ts';

/** The reasons for a rejection that administrators choose from, in their order. */
export const rejectReasons = pgTable(
  'reject_reasons',
  {
    position: integer().primaryKey(),
    text: text().notNull(),
    /** The same in all rows, which are replaced together. */
    updatedAt: updatedAt(),
  },
  (t) => [check('reject_reasons_text', sql`length(trim(${t.text})) between 1 and 300`)],
);

/** The operator's contact data; one row, or none before the first change. */
export const contactSettings = pgTable(
  'contact_settings',
  {
    id: boolean().primaryKey().default(true),
    /** E.164, as is the phone. */
    whatsapp: text(),
    phone: text(),
    email: text(),
    updatedAt: updatedAt(),
  },
  (t) => [
    check('contact_settings_one', sql`${t.id}`),
    check('contact_settings_whatsapp', sql`${t.whatsapp} ~ '^[+][1-9][0-9]{7,14}$'`),
    check('contact_settings_phone', sql`${t.phone} ~ '^[+][1-9][0-9]{7,14}$'`),
    check('contact_settings_email', sql`length(${t.email}) between 3 and 254`),
  ],
);
