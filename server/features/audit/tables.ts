import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '#server/database/columns.ts';

/** Administrators' actions. Append-only: a trigger refuses changes, and the clean-up deletes old entries. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    /** No foreign key, so that the entry outlives the person. */
    actorId: integer(),
    /** The call, as METHOD /path, or a command's name. */
    action: text().notNull(),
    /** The id of the affected row. */
    target: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    ip: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_created').on(t.createdAt),
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_target').on(t.target, t.id),
  ],
);
