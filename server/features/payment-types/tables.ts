import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CountryCode } from '#contract/phone.ts';
import { createdAt, id, updatedAt } from '#server/database/columns.ts';

export const paymentTypes = pgTable(
  'payment_types',
  {
    id: id(),
    name: text().notNull(),
    pictureUrl: text(),
    /** An emoji, shown where there is no picture. */
    icon: text(),
    /** Whose line the code must be dialled from. */
    operator: text(),
    /** Calling codes of the countries it is for; none means all. */
    countries: text().array().$type<CountryCode[]>().notNull().default([]),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('payment_types_name_once').on(sql`lower(${t.name})`),
    check('payment_types_name', sql`length(trim(${t.name})) > 0`),
    check(
      'payment_types_countries',
      sql`${t.countries} <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221']`,
    ),
  ],
);
