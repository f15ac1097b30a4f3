import { and, countDistinct, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import type { DialTemplateRow } from '#server/features/payment-types/store.ts';
import { dialTemplates, paymentTypes } from '#server/features/payment-types/tables.ts';
import type { TicketRow } from '#server/features/tickets/store.ts';
import { tickets } from '#server/features/tickets/tables.ts';
import { dialCodeLimits } from '#server/process/limits.ts';
import { codeReports } from './tables.ts';

const people = countDistinct(tickets.userId);
const isRecent = gt(codeReports.createdAt, sql`now() - make_interval(secs => ${dialCodeLimits.reportSeconds})`);
// Reports count until an administrator changes or judges the template.
const isOpen = and(isRecent, gt(codeReports.createdAt, dialTemplates.checkedAt));

/** The number of recent reporters of each template of a payment type, by its id; templates without reports are left out. */
export async function countReporters(db: Db, paymentTypeId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .select({ id: dialTemplates.id, people })
    .from(codeReports)
    .innerJoin(tickets, eq(tickets.id, codeReports.ticketId))
    .innerJoin(dialTemplates, eq(dialTemplates.id, codeReports.dialTemplateId))
    .where(and(eq(dialTemplates.paymentTypeId, paymentTypeId), isOpen))
    .groupBy(dialTemplates.id);
  return new Map(rows.map(({ id, people }) => [id, people]));
}

/** Locks a template of a payment type until the transaction ends. Throws DIAL_TEMPLATE_NOT_FOUND. */
export async function lockTemplate(db: Db, id: number, paymentTypeId: number): Promise<DialTemplateRow> {
  const [row] = await db
    .select()
    .from(dialTemplates)
    .where(and(eq(dialTemplates.id, id), eq(dialTemplates.paymentTypeId, paymentTypeId)))
    .for('update');
  if (!row) throw new Failure('DIAL_TEMPLATE_NOT_FOUND');
  return row;
}

/** Stores an administrator's change or judgement of a template, which closes its reports. */
export async function updateTemplate(
  db: Db,
  id: number,
  fields: Partial<Pick<DialTemplateRow, 'template' | 'state' | 'message' | 'verifiedAt'>>,
): Promise<DialTemplateRow> {
  const [row] = await db
    .update(dialTemplates)
    .set({ ...fields, checkedAt: sql`now()` })
    .where(eq(dialTemplates.id, id))
    .returning();
  return row as DialTemplateRow;
}

export async function deleteTemplate(db: Db, id: number): Promise<void> {
  await db.delete(dialTemplates).where(eq(dialTemplates.id, id));
}

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
