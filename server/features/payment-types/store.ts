import { asc, eq, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { paymentTypes } from './tables.ts';

export const paymentTypePictures: ImageColumn = { table: paymentTypes, column: paymentTypes.pictureUrl };

export type PaymentTypeRow = typeof paymentTypes.$inferSelect;

/** Payment types by name; the inactive ones only where asked for. */
export async function listPaymentTypes(db: Db, { all }: { all: boolean }): Promise<PaymentTypeRow[]> {
  return db
    .select()
    .from(paymentTypes)
    .where(all ? undefined : eq(paymentTypes.isActive, true))
    .orderBy(asc(sql`lower(${paymentTypes.name})`));
}

/** The active payment type of that name, whatever its case, held until the transaction ends. */
export async function findActivePaymentType(db: Db, name: string): Promise<{ id: number; name: string } | undefined> {
  const [row] = await db
    .select()
    .from(paymentTypes)
    .where(eq(sql`lower(${paymentTypes.name})`, name.toLowerCase()))
    .for('key share');
  return row?.isActive ? row : undefined;
}

/** Throws PAYMENT_TYPE_TAKEN. */
export async function createPaymentType(db: Db, name: string): Promise<PaymentTypeRow> {
  try {
    const [row] = await db.insert(paymentTypes).values({ name }).returning();
    return row as PaymentTypeRow;
  } catch (error) {
    throw violatedConstraint(error) === 'payment_types_name_once' ? new Failure('PAYMENT_TYPE_TAKEN') : error;
  }
}

/** Throws PAYMENT_TYPE_NOT_FOUND. */
export async function setPaymentTypeActive(db: Db, id: number, isActive: boolean): Promise<PaymentTypeRow> {
  const [row] = await db.update(paymentTypes).set({ isActive }).where(eq(paymentTypes.id, id)).returning();
  if (!row) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return row;
}

/** Throws PAYMENT_TYPE_NOT_FOUND. */
export async function deletePaymentType(db: Db, id: number): Promise<void> {
  const gone = await db.delete(paymentTypes).where(eq(paymentTypes.id, id)).returning({ id: paymentTypes.id });
  if (gone.length === 0) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
}
