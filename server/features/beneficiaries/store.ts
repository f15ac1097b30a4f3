import { and, eq } from 'drizzle-orm';
import { beneficiariesAtMost } from '#contract/beneficiaries.ts';
import { compareFrench } from '#contract/french-order.ts';
import type { Db } from '#server/database/connect.ts';
import { int, text } from '#server/database/row-kinds.ts';
import { statement } from '#server/database/statement.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { beneficiaries } from './tables.ts';

type NamedPhone = Pick<typeof beneficiaries.$inferSelect, 'phone' | 'name'>;

const listing = statement(
  { phone: text, name: text },
  { isQuick: true },
)('select phone, name from beneficiaries where user_id = $1 order by phone');

/** A person's named numbers, by name. */
export async function listBeneficiaries(db: Db, userId: number): Promise<NamedPhone[]> {
  const [rows] = await db.ask(listing(userId));
  return rows.toSorted((a, b) => compareFrench(a.name, b.name));
}

/** Of the person's saves one after the other: those at once would not count one another. */
const lockUser = statement({ id: int })<[id: number]>('select id from users where id = $1 for no key update');

const saving = statement({ phone: text, name: text })<[userId: number, phone: string, name: string]>(`
  insert into beneficiaries as known (user_id, phone, name) select id, $2, $3 from users
  where id = $1 and (exists (select from beneficiaries where user_id = $1 and phone = $2)
    or (select count(*) from beneficiaries where user_id = $1) < ${beneficiariesAtMost})
  on conflict (user_id, phone) do update set name = excluded.name, updated_at = now()
  returning phone, name`);

/** Gives a number of this person a name; `undefined` where they have as many as they may. */
export async function saveBeneficiary(
  db: Db,
  userId: number,
  { phone, name }: NamedPhone,
): Promise<NamedPhone | undefined> {
  return db.transaction(async (tx) => {
    await tx.ask(lockUser(userId));
    return new FinalStatements([saving(userId, phone, name)], ([saved]) => saved?.[0] as NamedPhone | undefined);
  });
}

export async function deleteBeneficiary(db: Db, userId: number, phone: string): Promise<void> {
  await db.delete(beneficiaries).where(and(eq(beneficiaries.userId, userId), eq(beneficiaries.phone, phone)));
}
