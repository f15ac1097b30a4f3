import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id } from '#server/database/columns.ts';

export const paymentTypes = pgTable(
  'payment_types',
  {
    id: id(),
    name: text().notNull(),
    pictureUrl: text(),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('payment_types_name_once').on(sql`lower(${t.name})`),
    check('payment_types_name', sql`length(trim(${t.name})) > 0`),
  ],
);
