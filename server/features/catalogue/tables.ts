import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, numeric, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt } from '#server/database/columns.ts';

export const services = pgTable(
  'services',
  {
    id: id(),
    name: text().notNull(),
    description: text().notNull().default(''),
    price: text(),
    pictureUrl: text(),
    level: integer().notNull().default(1),
    parentId: integer(),
    /** With the foreign key below, a child is one level under its parent. So no cycle and no sixth level can exist. */
    parentLevel: integer().generatedAlwaysAs(sql`level - 1`),
    isFinalLevel: boolean().notNull().default(false),
    isVisible: boolean().notNull().default(true),
    allowUserPriceInput: boolean().notNull().default(false),
    commissionType: text({ enum: ['fixed', 'percentage', 'range'] })
      .notNull()
      .default('fixed'),
    commissionValue: numeric({ precision: 12, scale: 2, mode: 'number' }).notNull().default(0),
    textSize: text({ enum: ['small', 'medium', 'large'] })
      .notNull()
      .default('medium'),
    textColor: text().notNull().default('#1E293B'),
    textStyle: text({ enum: ['normal', 'bold', 'italic', 'bold italic'] })
      .notNull()
      .default('normal'),
    phoneNumber: text(),
    sortOrder: integer().notNull().default(0),
    /** The rank by demand, from 1; a daily job writes it. */
    demand: integer(),
    /** Shown only to administrators. */
    operatorNote: text().notNull().default(''),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('services_id_level').on(t.id, t.level),
    foreignKey({
      name: 'services_parent',
      columns: [t.parentId, t.parentLevel],
      foreignColumns: [t.id, t.level],
    }),
    index('services_parent_order').on(t.parentId, t.sortOrder, t.id),
    check('services_name', sql`length(trim(${t.name})) > 0`),
    check('services_level', sql`${t.level} between 1 and 5`),
    check('services_root', sql`(${t.parentId} is null) = (${t.level} = 1)`),
    check('services_commission_type', sql`${t.commissionType} in ('fixed', 'percentage', 'range')`),
    check('services_commission_value', sql`${t.commissionValue} >= 0`),
    check('services_percentage', sql`${t.commissionType} <> 'percentage' or ${t.commissionValue} <= 100`),
    check('services_text_size', sql`${t.textSize} in ('small', 'medium', 'large')`),
    check('services_text_color', sql`${t.textColor} ~ '^#[0-9A-Fa-f]{6}$'`),
    check('services_text_style', sql`${t.textStyle} in ('normal', 'bold', 'italic', 'bold italic')`),
  ],
);

/** No two ranges of a service share an amount: an exclusion constraint written by hand in the migration. */
export const commissionRanges = pgTable(
  'commission_ranges',
  {
    id: id(),
    serviceId: integer()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    minPrice: integer().notNull(),
    maxPrice: integer(),
    commissionValue: text().notNull(),
    commissionType: text({ enum: ['fixed', 'percentage'] })
      .notNull()
      .default('fixed'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('commission_ranges_service').on(t.serviceId),
    check(
      'commission_ranges_bounds',
      sql`${t.minPrice} >= 0 and (${t.maxPrice} is null or ${t.maxPrice} >= ${t.minPrice})`,
    ),
    check('commission_ranges_value', sql`${t.commissionValue} ~ '^[0-9]{1,9}(\\.[0-9]{1,2})?$'`),
    check(
      'commission_ranges_percentage',
      sql`${t.commissionType} <> 'percentage' or ${t.commissionValue}::numeric <= 100`,
    ),
    check('commission_ranges_type', sql`${t.commissionType} in ('fixed', 'percentage')`),
  ],
);
