import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '#server/database/columns.ts';
import { ofUser } from '#server/features/users/tables.ts';

/** A browser that a person subscribed (https://www.w3.org/TR/push-api/). */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: id(),
    userId: ofUser(),
    endpoint: text().notNull().unique(),
    /** The browser's public key and its secret, base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('push_subscriptions_user').on(t.userId)],
);

/** The keys that the product signs its pushes with (VAPID, RFC 8292), base64url; one row, made once. */
export const pushKeys = pgTable(
  'push_keys',
  {
    id: boolean().primaryKey().default(true),
    publicKey: text().notNull(),
    privateKey: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [check('push_keys_one', sql`${t.id}`)],
);
