import { Failure } from '#contract/failure.ts';
import { type PaymentShape, provenFrom } from '#contract/payment-shapes.ts';
import type { Db } from '#server/database/connect.ts';
import { rows, sql } from '#server/database/rows.ts';
import type { NamedWallet } from './operators/taught-shapes.ts';
import { type AccountRow, otherSim, type Wallet } from './store.ts';

/** Whether the line `c` is confirmed: it pays an approved ticket, or a statement or a server reported it too. */
const isConfirmed = sql`c.anomaly is null and (c.state = 'settled' or exists (
  select from payment_matches m join tickets t on t.id = m.ticket_id
  where m.line_id = c.id and m.undone_at is null and t.status = 'approved'))`;

/** How many lines with the shape of the line `l` were confirmed, up to the number that it needs; null without a taught shape. */
export const confirmedOfShape = sql`case when l.shape_id is not null then (
  select count(*)::int from (
    select from payment_lines c where c.shape_id = l.shape_id and ${isConfirmed} limit ${provenFrom}) few) end`;

/** A wallet with its taught shapes, which read messages besides the built-in patterns. */
export type TaughtWallet = NamedWallet & Wallet & { shapes: { id: number; template: string }[] };

/** The wallet of an account, with its taught shapes; undefined once its payment type is deleted. */
export async function findTaughtWallet(
  db: Db,
  { paymentTypeId, country }: Pick<AccountRow, 'paymentTypeId' | 'country'>,
): Promise<TaughtWallet | undefined> {
  const [row] = await rows<{ id: number; name: string; operator: string | null; shapes: TaughtWallet['shapes'] }>(
    db,
    sql`
      select t.id, t.name, t.operator, (
        select coalesce(json_agg(json_build_object('id', s.id, 'template', s.template) order by s.id), '[]')
        from payment_shapes s where s.payment_type_id = t.id and s.country = ${country} and s.removed_at is null) as shapes
      from payment_types t where t.id = ${paymentTypeId}::int`,
    'prepared',
  );
  return row && { paymentTypeId: row.id, country, names: [row.name, row.operator], shapes: row.shapes };
}

/** The sealed texts of a wallet's messages that are unread, or ignored for their content; the oldest first. */
export const listTexts = (db: Db, { paymentTypeId, country }: Wallet, state: 'unread' | 'ignored') =>
  rows<{ id: number; accountId: number; sealed: string }>(
    db,
    sql`
      select m.id, m.account_id as "accountId", m.sealed_text as sealed
      from payment_messages m join payment_accounts a on a.id = m.account_id
      where a.payment_type_id = ${paymentTypeId} and a.country = ${country} and m.sealed_text is not null
        and m.state = ${state} and case m.state when 'ignored' then m.why is distinct from ${otherSim} else m.why is null end
      order by m.id`,
  );

/** Stores a shape; answers its id, or undefined if the wallet has it. */
export async function insertShape(
  db: Db,
  { paymentTypeId, country }: Wallet,
  { template, createdBy }: { template: string; createdBy: number },
): Promise<number | undefined> {
  const [row] = await rows<{ id: number }>(
    db,
    sql`
      insert into payment_shapes (payment_type_id, country, template, created_by)
      values (${paymentTypeId}, ${country}, ${template}, ${createdBy}) on conflict do nothing returning id`,
  );
  return row?.id;
}

/** The active shapes, newest first, with the outcome of their lines. */
export async function listShapes(db: Db): Promise<PaymentShape[]> {
  const shapes = await rows<
    Omit<PaymentShape, 'createdAt' | 'lastUsedAt'> & { createdAt: Date; lastUsedAt: Date | null }
  >(
    db,
    sql`
      select s.id, s.payment_type_id as "paymentTypeId", s.country, s.template, s.created_at as "createdAt",
        count(c.id)::int as used, (count(c.id) filter (where ${isConfirmed}))::int as confirmed,
        max(c.created_at) as "lastUsedAt"
      from payment_shapes s left join payment_lines c on c.shape_id = s.id
      where s.removed_at is null group by s.id order by s.id desc`,
  );
  return shapes.map(({ createdAt, lastUsedAt, ...shape }) => ({
    ...shape,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Deactivates a shape; answers its template. Throws PAYMENT_SHAPE_NOT_FOUND. */
export async function removeShape(db: Db, id: number): Promise<string> {
  const [row] = await rows<{ template: string }>(
    db,
    sql`update payment_shapes set removed_at = now() where id = ${id} and removed_at is null returning template`,
  );
  if (!row) throw new Failure('PAYMENT_SHAPE_NOT_FOUND');
  return row.template;
}
