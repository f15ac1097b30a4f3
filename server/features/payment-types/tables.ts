import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { dialTemplateStates } from '#contract/dial-codes.ts';
import type { CountryCode } from '#contract/phone.ts';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';

const known = sql`array['+226', '+225', '+223', '+227', '+229', '+228', '+221']`;

export const paymentTypes = pgTable(
  'payment_types',
  {
    id: id(),
    name: text().notNull(),
    pictureUrl: text(),
    /** An emoji, shown if there is no picture. */
    icon: text(),
    /** The operator whose SIM must dial the code. */
    operator: text(),
    /** Calling codes of its countries; none means all. */
    countries: text().array().$type<CountryCode[]>().notNull().default([]),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('payment_types_name_once').on(sql`lower(${t.name})`),
    check('payment_types_name', sql`length(trim(${t.name})) > 0`),
    check('payment_types_countries', sql`${t.countries} <@ ${known}`),
  ],
);

/** The number that a payment type's codes pay in a country, for `{marchand}`. */
export const merchantNumbers = pgTable(
  'merchant_numbers',
  {
    paymentTypeId: integer()
      .notNull()
      .references(() => paymentTypes.id, { onDelete: 'cascade' }),
    country: text().$type<CountryCode>().notNull(),
    number: text().notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.paymentTypeId, t.country] }),
    check('merchant_numbers_country', sql`array[${t.country}] <@ ${known}`),
    // The example's number, which pays nobody, is refused.
    check('merchant_numbers_number', sql`${t.number} ~ '^[0-9]{4,12}$' and ${t.number} <> '00000000'`),
  ],
);

/** A payment type's own dial templates, one per country. */
export const dialTemplates = pgTable(
  'dial_templates',
  {
    id: id(),
    paymentTypeId: integer()
      .notNull()
      .references(() => paymentTypes.id, { onDelete: 'cascade' }),
    country: text().$type<CountryCode>().notNull(),
    template: text().notNull(),
    state: text({ enum: dialTemplateStates }).notNull().default('unverified'),
    /** The message for payers while it is broken. */
    message: text(),
    source: text(),
    verifiedAt: at(),
    /** When an administrator last changed or judged it, which closes earlier reports. */
    checkedAt: at().notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('dial_templates_once').on(t.paymentTypeId, t.country),
    check('dial_templates_country', sql`array[${t.country}] <@ ${known}`),
    check('dial_templates_state', sql`${t.state} in ('unverified', 'verified', 'reported', 'broken')`),
  ],
);
