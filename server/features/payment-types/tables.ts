import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
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
    check('payment_types_countries', sql`${t.countries} <@ ${known}`),
  ],
);

/** A payment type's own codes to dial, one a country. */
export const dialTemplates = pgTable(
  'dial_templates',
  {
    id: id(),
    paymentTypeId: integer()
      .notNull()
      .references(() => paymentTypes.id, { onDelete: 'cascade' }),
    country: text().$type<CountryCode>().notNull(),
    template: text().notNull(),
    /** Digits; empty for a template without `{marchand}`. */
    merchant: text().notNull().default(''),
    state: text({ enum: dialTemplateStates }).notNull().default('unverified'),
    /** What payers read while it is broken. */
    message: text(),
    source: text(),
    verifiedAt: at(),
    /** When an administrator last changed or judged it: reports from before are of another code, or answered. */
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
