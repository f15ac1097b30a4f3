import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt } from '#server/database/columns.ts';

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
