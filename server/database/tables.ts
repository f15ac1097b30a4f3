import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt } from './columns.ts';

/** Things done once in the life of a database, such as writing the starter catalogue. */
export const onceFlags = pgTable('once_flags', { name: text().primaryKey(), doneAt: createdAt() });

/** Counters of rate-limiter-flexible (its PostgreSQL store's own columns; `expire` in milliseconds). */
export const rateLimitCounters = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
});

/** The job runners that are alive: each renews its row; the jobs of those that do not go to others. */
export const jobRunners = pgTable('job_runners', {
  id: text().primaryKey(),
  seenAt: at().notNull().defaultNow(),
});

/** Keys of 256 bits that outlive a server (base64url), and what tells its SESSION_SECRET from another; made once, and in every backup. */
export const productKeys = pgTable('product_keys', {
  name: text().primaryKey(),
  key: text().notNull(),
  createdAt: createdAt(),
});
