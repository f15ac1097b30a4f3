import { and, eq, sql } from 'drizzle-orm';
import { beneficiariesAtMost } from '#contract/beneficiaries.ts';
import { compareFrench } from '#contract/french-order.ts';
import type { Db } from '#server/database/connect.ts';
import { rows } from '#server/database/rows.ts';
import { beneficiaries } from './tables.ts';

type NamedPhone = Pick<typeof beneficiaries.$inferSelect, 'phone' | 'name'>;

/** A person's named numbers, by name. */
export async function listBeneficiaries(db: Db, userId: number): Promise<NamedPhone[]> {
  const { phone, name } = beneficiaries;
  const found = await db
    .select({ phone, name })
    .from(beneficiaries)
    .where(eq(beneficiaries.userId, userId))
    .orderBy(phone);
  return found.toSorted((a, b) => compareFrench(a.name, b.name));
}

/** Gives a number of this person a name; `undefined` where they have as many as they may. */
export async function saveBeneficiary(
  db: Db,
  userId: number,
  { phone, name }: NamedPhone,
): Promise<NamedPhone | undefined> {
  return db.transaction(async (tx) => {
    // Of the person's saves one after the other: those at once would not count one another.
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    const [saved] = await rows<NamedPhone>(
      tx,
      sql`
        insert into beneficiaries as known (user_id, phone, name) select id, ${phone}, ${name} from users
        where id = ${userId} and (exists (select from beneficiaries where user_id = ${userId} and phone = ${phone})
          or (select count(*) from beneficiaries where user_id = ${userId}) < ${beneficiariesAtMost})
        on conflict (user_id, phone) do update set name = excluded.name, updated_at = now()
        returning phone, name`,
    );
    return saved;
  });
}

export async function deleteBeneficiary(db: Db, userId: number, phone: string): Promise<void> {
  await db.delete(beneficiaries).where(and(eq(beneficiaries.userId, userId), eq(beneficiaries.phone, phone)));
}
