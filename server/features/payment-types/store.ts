import { and, asc, eq, getTableColumns, inArray, like, ne, type SQL, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { compareFrench } from '#contract/french-order.ts';
import { type CountryCode, countryCodes } from '#contract/phone.ts';
import { nextVersion } from '#server/database/columns.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { insertRow } from '#server/database/store.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { dialTemplates, merchantNumbers, paymentTypes } from './tables.ts';

export const paymentTypePictures: ImageColumn = { table: paymentTypes, column: paymentTypes.pictureUrl };

export type PaymentTypeRow = typeof paymentTypes.$inferSelect;
export type DialTemplateRow = typeof dialTemplates.$inferSelect;
export type OfferedPaymentType = PaymentTypeRow & {
  dialTemplates: Pick<DialTemplateRow, 'country' | 'template' | 'state' | 'message'>[];
  merchantCountries: CountryCode[];
};

function selectOffered(db: Db) {
  const templates = sql<OfferedPaymentType['dialTemplates']>`(
    select coalesce(json_agg(json_build_object(
             'country', country, 'template', template, 'state', state, 'message', message) order by country), '[]')
    from dial_templates where payment_type_id = payment_types.id)`;
  const merchantCountries = sql<CountryCode[]>`array(
    select country from merchant_numbers where payment_type_id = payment_types.id order by country)`;
  return db
    .select({ ...getTableColumns(paymentTypes), dialTemplates: templates, merchantCountries })
    .from(paymentTypes);
}

/** Payment types by name, with their own codes; inactive ones only with `all`. */
export async function listPaymentTypes(db: Db, { all }: { all: boolean }): Promise<OfferedPaymentType[]> {
  const found = await selectOffered(db).where(all ? undefined : eq(paymentTypes.isActive, true));
  return found.toSorted((a, b) => compareFrench(a.name, b.name) || a.id - b.id);
}

/** Throws PAYMENT_TYPE_NOT_FOUND. */
export async function requireOfferedType(db: Db, id: number): Promise<OfferedPaymentType> {
  const [row] = await selectOffered(db).where(eq(paymentTypes.id, id));
  if (!row) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return row;
}

/** A dial template of a payment type. */
export interface Wallet extends Pick<DialTemplateRow, 'id' | 'paymentTypeId' | 'country' | 'template'> {
  operator: string | null;
  isBroken: boolean;
}

/** All dial templates, as an array of `Wallet`. A code of an inactive type still belongs to that wallet only. */
export const allWallets: SQL = sql`(
  select coalesce(json_agg(json_build_object('id', d.id, 'paymentTypeId', d.payment_type_id, 'country', d.country,
    'operator', p.operator, 'template', d.template, 'isBroken', d.state = 'broken') order by d.id), '[]')
  from dial_templates d join payment_types p on p.id = d.payment_type_id)`;

export type PaymentTypeFields = Omit<typeof paymentTypes.$inferInsert, 'createdAt' | 'updatedAt'>;

/** Throws PAYMENT_TYPE_TAKEN. */
export const insertPaymentType = (db: Db, fields: PaymentTypeFields): Promise<PaymentTypeRow> =>
  withNameOnce(insertRow(db, paymentTypes, fields));

/** Locks a payment type until the transaction ends. Throws PAYMENT_TYPE_NOT_FOUND. */
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
  // Also for a change without fields.
  const set = { ...fields, updatedAt: nextVersion() };
  const [row] = await withNameOnce(db.update(paymentTypes).set(set).where(eq(paymentTypes.id, id)).returning());
  if (!row) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return row;
}

/** Answers the deleted row. Throws PAYMENT_TYPE_NOT_FOUND. */
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

type MerchantNumber = Pick<typeof merchantNumbers.$inferSelect, 'country' | 'number'>;

/** A payment type's merchant numbers, by country; `updatedAt` is null without any. */
export interface MerchantNumberList {
  paymentTypeId: number;
  numbers: MerchantNumber[];
  updatedAt: Date | null;
}

/** The merchant numbers of every payment type, or of one. */
export async function listMerchantNumbers(db: Db, paymentTypeId?: number): Promise<MerchantNumberList[]> {
  const { country, number, updatedAt } = merchantNumbers;
  const found = await db
    .select({ paymentTypeId: paymentTypes.id, country, number, updatedAt })
    .from(paymentTypes)
    .leftJoin(merchantNumbers, eq(merchantNumbers.paymentTypeId, paymentTypes.id))
    .where(paymentTypeId === undefined ? undefined : eq(paymentTypes.id, paymentTypeId))
    .orderBy(asc(paymentTypes.id), asc(country));
  return [...Map.groupBy(found, (row) => row.paymentTypeId)].map(([id, rows]) => ({
    paymentTypeId: id,
    numbers: rows.flatMap((row) => (row.country && row.number ? [{ country: row.country, number: row.number }] : [])),
    updatedAt: rows[0]?.updatedAt ?? null,
  }));
}

/** As `listMerchantNumbers` for one type, locked against changes until the transaction ends. Throws PAYMENT_TYPE_NOT_FOUND. */
export async function lockMerchantNumbers(tx: Db, paymentTypeId: number): Promise<MerchantNumberList> {
  await lockPaymentType(tx, paymentTypeId);
  return requireMerchantNumbers(tx, paymentTypeId);
}

async function requireMerchantNumbers(db: Db, paymentTypeId: number): Promise<MerchantNumberList> {
  const [list] = await listMerchantNumbers(db, paymentTypeId);
  if (!list) throw new Failure('PAYMENT_TYPE_NOT_FOUND');
  return list;
}

/**
 * Replaces the locked numbers. A verification belongs to the tested code: a code with a changed number must be verified again, unless it
 * is broken.
 */
export async function replaceMerchantNumbers(
  tx: Db,
  { paymentTypeId, numbers: before, updatedAt: last }: MerchantNumberList,
  numbers: readonly MerchantNumber[],
): Promise<MerchantNumberList> {
  await tx.delete(merchantNumbers).where(eq(merchantNumbers.paymentTypeId, paymentTypeId));
  const updatedAt = nextVersion(sql`${last?.toISOString() ?? null}::timestamptz`);
  const rows = numbers.map((each) => ({ ...each, paymentTypeId, updatedAt }));
  if (rows.length > 0) await tx.insert(merchantNumbers).values(rows);
  const numberIn = (list: readonly MerchantNumber[], code: string) =>
    list.find(({ country }) => country === code)?.number;
  const changed = countryCodes.filter((code) => numberIn(before, code) !== numberIn(numbers, code));
  const { state, template, country } = dialTemplates;
  await tx
    .update(dialTemplates)
    .set({ state: 'unverified', verifiedAt: null, checkedAt: sql`now()` })
    .where(
      and(
        eq(dialTemplates.paymentTypeId, paymentTypeId),
        inArray(country, changed),
        ne(state, 'broken'),
        like(template, '%{marchand}%'),
      ),
    );
  return requireMerchantNumbers(tx, paymentTypeId);
}
