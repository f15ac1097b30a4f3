import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt } from '#server/database/columns.ts';

export const contentPages = pgTable(
  'content_pages',
  {
    id: id(),
    slug: text().notNull().unique(),
    title: text().notNull(),
    content: text().notNull(),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [check('content_pages_slug', sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$'`)],
);

export const backgroundSettings = pgTable(
  'background_settings',
  {
    id: id(),
    backgroundImage: text(),
    opacity: integer().notNull().default(30),
    blur: integer().notNull().default(5),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('background_settings_one_active').on(t.isActive).where(sql`${t.isActive}`),
    check('background_settings_opacity', sql`${t.opacity} between 0 and 100`),
    check('background_settings_blur', sql`${t.blur} between 0 and 20`),
  ],
);

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
