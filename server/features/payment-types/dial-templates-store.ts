import { and, asc, eq, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { rows } from '#server/database/rows.ts';
import { insertRow } from '#server/database/store.ts';
import { dialCodeLimits } from './limits.ts';
import type { DialTemplateRow } from './store.ts';
import { dialTemplates } from './tables.ts';

/** The dial templates of a payment type, by country. */
export async function listTemplatesOf(db: Db, paymentTypeId: number): Promise<DialTemplateRow[]> {
  return db
    .select()
    .from(dialTemplates)
    .where(eq(dialTemplates.paymentTypeId, paymentTypeId))
    .orderBy(asc(dialTemplates.country));
}

/**
 * People who lately reported each template of a payment type, by its id; templates without reports are left out. An
 * administrator's change or judgement of a template answers the reports before it.
 */
export async function countReporters(db: Db, paymentTypeId: number): Promise<ReadonlyMap<number, number>> {
  const counted = await rows<{ id: number; people: number }>(
    db,
    sql`
      select d.id, count(distinct t.user_id)::int as people
      from code_reports r join tickets t on t.id = r.ticket_id join dial_templates d on d.id = r.dial_template_id
      where d.payment_type_id = ${paymentTypeId} and r.created_at > d.checked_at
        and r.created_at > now() - make_interval(secs => ${dialCodeLimits.reportSeconds})
      group by d.id`,
  );
  return new Map(counted.map(({ id, people }) => [id, people]));
}

/** Throws DIAL_TEMPLATE_TAKEN if the country has one. */
export async function insertDialTemplate(
  db: Db,
  fields: Omit<typeof dialTemplates.$inferInsert, 'createdAt' | 'updatedAt'>,
): Promise<DialTemplateRow> {
  try {
    return await insertRow(db, dialTemplates, fields);
  } catch (error) {
    throw violatedConstraint(error) === 'dial_templates_once' ? new Failure('DIAL_TEMPLATE_TAKEN') : error;
  }
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
