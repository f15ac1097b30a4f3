import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { dialTemplates, paymentTypes } from '#server/features/payment-types/tables.ts';
import type { TicketRow } from './store.ts';
import { codeReports, tickets } from './tables.ts';

/** Marks a person's pending ticket with a code as reported; undefined for any other ticket, or one already marked. */
export async function setCodeReported(db: Db, userId: number, id: number): Promise<TicketRow | undefined> {
  const { status, dialCode, codeReportedAt } = tickets;
  const isOwn = and(eq(tickets.id, id), eq(tickets.userId, userId));
  const [row] = await db
    .update(tickets)
    .set({ codeReportedAt: sql`now()` })
    .where(and(isOwn, eq(status, 'pending'), isNotNull(dialCode), isNull(codeReportedAt)))
    .returning();
  return row;
}

export async function insertReport(db: Db, report: typeof codeReports.$inferInsert): Promise<void> {
  await db.insert(codeReports).values(report);
}

/** Locks the template of a ticket's code, and answers it with its reporters; undefined if it has changed since the filing. */
export async function findReportedTemplate(db: Db, { dialTemplateId, createdAt }: TicketRow) {
  if (dialTemplateId === null) return undefined;
  const [row] = await db
    .select({ template: dialTemplates, name: paymentTypes.name })
    .from(dialTemplates)
    .innerJoin(paymentTypes, eq(paymentTypes.id, dialTemplates.paymentTypeId))
    .where(eq(dialTemplates.id, dialTemplateId))
    .for('update', { of: dialTemplates });
  return row && row.template.checkedAt <= createdAt ? row : undefined;
}

/** Marks a template as reported, unless an administrator called it broken. */
export async function markReported(db: Db, id: number): Promise<void> {
  await db
    .update(dialTemplates)
    .set({ state: 'reported' })
    .where(and(eq(dialTemplates.id, id), sql`${dialTemplates.state} <> 'broken'`));
}
