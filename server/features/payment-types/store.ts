import { eq } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { columnsOf, statement } from '#server/database/statement.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { paymentTypes } from './tables.ts';

export const paymentTypePictures: ImageColumn = { table: paymentTypes, column: paymentTypes.pictureUrl };

export type PaymentTypeRow = typeof paymentTypes.$inferSelect;

const byName = statement<PaymentTypeRow>(`
  select ${columnsOf(paymentTypes)} from payment_types where $1::boolean or is_active order by lower(name)`);

/** Payment types by name; the inactive ones only where asked for. */
export async function listPaymentTypes(db: Db, { all }: { all: boolean }): Promise<PaymentTypeRow[]> {
  const [rows] = await db.ask(byName(all));
  return rows;
}

/** The payment type of a name in lower case, held until the transaction ends: no row or one, active or not. */
export const holdPaymentType = statement<Pick<PaymentTypeRow, 'id' | 'name' | 'isActive'>, [name: string]>(`
  select id, name, is_active as "isActive" from payment_types where lower(name) = $1 for key share`);

export type PaymentTypeFields = Omit<typeof paymentTypes.$inferInsert, 'createdAt' | 'updatedAt'>;

/** Throws PAYMENT_TYPE_TAKEN. */
export async function insertPaymentType(db: Db, fields: PaymentTypeFields): Promise<PaymentTypeRow> {
  const [row] = await withNameOnce(db.insert(paymentTypes).values(fields).returning());
  return row as PaymentTypeRow;
}

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
