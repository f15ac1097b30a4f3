import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { PathStep } from '#contract/tickets.ts';
import { at, createdAt, id } from './columns.ts';

const updatedAt = () =>
  at()
    .notNull()
    .defaultNow()
    .$onUpdate(() => sql`now()`);

/** A guest is a row too: its phone is `guest:<uuid>`, and nobody can sign in with it or send it an SMS. */
export const users = pgTable(
  'users',
  {
    id: id(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    phone: text().notNull().unique(),
    email: text(),
    /** argon2id in PHC form; guests have none. */
    password: text(),
    isGuest: boolean().notNull().default(false),
    isVerified: boolean().notNull().default(false),
    isAdmin: boolean().notNull().default(false),
    countryCode: text().notNull().default('+226'),
    /** Set while an administrator keeps the account closed. */
    deactivatedAt: at(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('users_email_once').on(sql`lower(${t.email})`).where(sql`${t.email} is not null and ${t.isVerified}`),
    index('users_guests').on(t.id).where(sql`${t.isGuest}`),
    check('users_phone_form', sql`${t.phone} ~ '^(\\+(226|225|223|227|229|228|221)[0-9]{8,10}|guest:[0-9a-f-]{36})$'`),
    check('users_guest_phone', sql`${t.isGuest} = starts_with(${t.phone}, 'guest:')`),
    check('users_guest_rights', sql`not (${t.isGuest} and (${t.isAdmin} or ${t.isVerified}))`),
    check('users_password', sql`${t.isGuest} or ${t.password} is not null`),
    check('users_country', sql`${t.countryCode} in ('+226', '+225', '+223', '+227', '+229', '+228', '+221')`),
    check('users_deactivated', sql`${t.deactivatedAt} is null or not (${t.isVerified} or ${t.isAdmin})`),
  ],
);

/** `sid` is the SHA-256 of the cookie's id, so that a copy of this table opens no session. */
export const sessions = pgTable(
  'sessions',
  {
    sid: text().primaryKey(),
    sess: jsonb().$type<Record<string, never>>().notNull().default({}),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expire: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('sessions_expire').on(t.expire), index('sessions_user').on(t.userId)],
);

export interface PendingAccount {
  firstName: string;
  lastName: string;
  email: string | null;
  password: string;
  countryCode: string;
}

/** One browser's attempt to prove a number: what it asked for is applied only by a code that was sent to it. */
export const otpFlows = pgTable(
  'otp_flows',
  {
    id: uuid().primaryKey().defaultRandom(),
    phone: text().notNull(),
    purpose: text({ enum: ['signup', 'reset'] }).notNull(),
    pending: jsonb().$type<PendingAccount>(),
    /** From here on no code of it is taken or sent; its row stays, since its codes count among the day's. */
    closedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index('otp_flows_phone').on(t.phone, t.purpose),
    check('otp_flows_purpose', sql`${t.purpose} in ('signup', 'reset')`),
    check('otp_flows_pending', sql`(${t.purpose} = 'signup') = (${t.pending} is not null)`),
  ],
);

/** `code` is an HMAC; the counters of a number are counted from these rows, so they survive a crash. */
export const otpCodes = pgTable(
  'otp_codes',
  {
    id: id(),
    flowId: uuid()
      .notNull()
      .references(() => otpFlows.id, { onDelete: 'cascade' }),
    phone: text().notNull(),
    code: text().notNull(),
    attempts: integer().notNull().default(0),
    isUsed: boolean().notNull().default(false),
    expiresAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('otp_codes_one_live').on(t.flowId).where(sql`not ${t.isUsed}`),
    index('otp_codes_phone').on(t.phone, t.createdAt),
    check('otp_codes_attempts', sql`${t.attempts} between 0 and 3`),
  ],
);

/** `token` is a SHA-256. */
export const resetTokens = pgTable(
  'reset_tokens',
  {
    token: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: at().notNull(),
    usedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [index('reset_tokens_user').on(t.userId)],
);

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
    /** With the foreign key below: a child is one level under its parent, so a cycle or a sixth level cannot exist. */
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

/** No two ranges of a service share an amount: an exclusion constraint of the hand-written migration. */
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

/** What was agreed stands in the row itself: path, integers and dial code outlive the service, the payment type and the user. */
export const tickets = pgTable(
  'tickets',
  {
    id: id(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    serviceId: integer().references(() => services.id, { onDelete: 'set null' }),
    status: text({ enum: ['pending', 'approved', 'rejected'] })
      .notNull()
      .default('pending'),
    numberOfBeneficiaries: integer().notNull().default(1),
    paymentTypeId: integer().references(() => paymentTypes.id, { onDelete: 'set null' }),
    paymentTypeName: text().notNull(),
    amount: integer().notNull(),
    commission: integer().notNull(),
    totalPrice: text().notNull(),
    servicePath: jsonb().$type<PathStep[]>().notNull(),
    beneficiaryPhoneNumber: text().notNull(),
    dialCode: text(),
    rejectReason: text(),
    idempotencyKey: text(),
    /** SHA-256 of what was asked, to tell a repeated request from another one under the same key. */
    fingerprint: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('tickets_key_once').on(t.userId, t.idempotencyKey).where(sql`${t.idempotencyKey} is not null`),
    index('tickets_user').on(t.userId, t.id),
    index('tickets_status').on(t.status, t.id),
    index('tickets_created').on(t.createdAt),
    index('tickets_service').on(t.serviceId),
    index('tickets_payment_type').on(t.paymentTypeId),
    check('tickets_status_known', sql`${t.status} in ('pending', 'approved', 'rejected')`),
    check('tickets_money', sql`${t.amount} >= 0 and ${t.commission} >= 0`),
    check('tickets_total', sql`${t.totalPrice} = (${t.amount} + ${t.commission})::text`),
    check('tickets_beneficiaries', sql`${t.numberOfBeneficiaries} >= 1`),
    check(
      'tickets_path',
      sql`jsonb_typeof(${t.servicePath}) = 'array' and jsonb_array_length(${t.servicePath}) between 1 and 5`,
    ),
  ],
);

/** Every status a ticket has had: its creation and each change, by whom. */
export const ticketEvents = pgTable(
  'ticket_events',
  {
    id: id(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    status: text({ enum: ['pending', 'approved', 'rejected'] }).notNull(),
    reason: text(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('ticket_events_ticket').on(t.ticketId, t.id),
    index('ticket_events_actor').on(t.actorId),
    check('ticket_events_status', sql`${t.status} in ('pending', 'approved', 'rejected')`),
  ],
);

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    message: text().notNull(),
    isRead: boolean().notNull().default(false),
    type: text({ enum: ['success', 'error', 'warning', 'info'] })
      .notNull()
      .default('info'),
    relatedTicketId: integer().references(() => tickets.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('notifications_user').on(t.userId, t.id),
    index('notifications_unread').on(t.userId).where(sql`not ${t.isRead}`),
    index('notifications_ticket').on(t.relatedTicketId),
    check('notifications_type', sql`${t.type} in ('success', 'error', 'warning', 'info')`),
  ],
);

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
