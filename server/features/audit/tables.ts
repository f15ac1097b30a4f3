import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '#server/database/columns.ts';

/** Append-only (a trigger refuses changes): who did what to the product, and which calls were refused. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    /** No foreign key: the record outlives the person. */
    actorId: integer(),
    action: text().notNull(),
    target: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    status: integer().notNull(),
    /** Of a refusal: the failure's code. */
    code: text(),
    /** How many equal calls this row stands for; more than one for what was repeated. */
    count: integer().notNull().default(1),
    ip: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_created').on(t.createdAt),
    index('audit_log_actor').on(t.actorId, t.id),
    check('audit_log_count', sql`${t.count} >= 1`),
  ],
);
