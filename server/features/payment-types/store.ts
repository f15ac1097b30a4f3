import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { compareFrench } from '#contract/french-order.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { insertRow } from '#server/database/store.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { dialTemplates, paymentTypes } from './tables.ts';

export const paymentTypePictures: ImageColumn = { table: paymentTypes, column: paymentTypes.pictureUrl };

export type PaymentTypeRow = typeof paymentTypes.$inferSelect;
export type DialTemplateRow = typeof dialTemplates.$inferSelect;
export type OfferedPaymentType = PaymentTypeRow & {
  dialTemplates: Pick<DialTemplateRow, 'country' | 'template' | 'state' | 'message'>[];
};

/** Payment types by name, with their own codes; the inactive ones only where asked for. */
export async function listPaymentTypes(db: Db, { all }: { all: boolean }): Promise<OfferedPaymentType[]> {
  const templates = sql<OfferedPaymentType['dialTemplates']>`(
    select coalesce(json_agg(json_build_object(
             'country', country, 'template', template, 'state', state, 'message', message) order by country), '[]')
    from dial_templates where payment_type_id = payment_types.id)`;
  const found = await db
    .select({ ...getTableColumns(paymentTypes), dialTemplates: templates })
    .from(paymentTypes)
    .where(all ? undefined : eq(paymentTypes.isActive, true));
  return found.toSorted((a, b) => compareFrench(a.name, b.name) || a.id - b.id);
}

/** The dial templates of a payment type, by country. */
export async function listTemplatesOf(db: Db, paymentTypeId: number): Promise<DialTemplateRow[]> {
  return db
    .select()
    .from(dialTemplates)
    .where(eq(dialTemplates.paymentTypeId, paymentTypeId))
    .orderBy(asc(dialTemplates.country));
}

/** A dial template of a payment type. */
export interface Wallet extends Pick<DialTemplateRow, 'id' | 'paymentTypeId' | 'country' | 'template' | 'merchant'> {
  operator: string | null;
  isBroken: boolean;
}

/** An array of `Wallet`: all dial templates. A code of a type that is not active is still that wallet's, and no other's. */
export const allWallets: SQL = sql`(
  select coalesce(json_agg(json_build_object('id', d.id, 'paymentTypeId', d.payment_type_id, 'country', d.country,
    'operator', p.operator, 'template', d.template, 'merchant', d.merchant, 'isBroken', d.state = 'broken') order by d.id), '[]')
  from dial_templates d join payment_types p on p.id = d.payment_type_id)`;

/** Throws DIAL_TEMPLATE_TAKEN where the country has one. */
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

export type PaymentTypeFields = Omit<typeof paymentTypes.$inferInsert, 'createdAt' | 'updatedAt'>;

/** Throws PAYMENT_TYPE_TAKEN. */
export const insertPaymentType = (db: Db, fields: PaymentTypeFields): Promise<PaymentTypeRow> =>
  withNameOnce(insertRow(db, paymentTypes, fields));

/** A payment type that nobody else changes until the transaction ends. Throws PAYMENT_TYPE_NOT_FOUND. */
export async function lockPaymentType(db: Db, id: number): Promise<PaymentTypeRow> {
  const [row] = await db.select().from(paymentTypes).where(eq(paymentTypes.id, id)).for('update');
  if (!row) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return row;
}

/** Throws PAYMENT_TYPE_NOT_FOUND, PAYMENT_TYPE_TAKEN. */
export async function updatePaymentTypeRow(
  db: Db,
  id: number,
  fields: Partial<PaymentTypeFields>,
): Promise<PaymentTypeRow> {
  const [row] = await withNameOnce(db.update(paymentTypes).set(fields).where(eq(paymentTypes.id, id)).returning());
  if (!row) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return row;
}

/** Answers the row that is gone. Throws PAYMENT_TYPE_NOT_FOUND. */
export async function deletePaymentTypeRow(db: Db, id: number): Promise<PaymentTypeRow> {
  const [gone] = await db.delete(paymentTypes).where(eq(paymentTypes.id, id)).returning();
  if (!gone) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return gone;
}

async function withNameOnce<T>(write: PromiseLike<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw violatedConstraint(error) === 'payment_types_name_once' ? new Failure('PAYMENT_TYPE_TAKEN') : error;
  }
}

/** Throws PAYMENT_TYPE_NOT_FOUND. */
export async function requirePaymentType(db: Db, id: number): Promise<void> {
  if ((await db.$count(paymentTypes, eq(paymentTypes.id, id))) === 0) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
}
