import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { insertRow } from '#server/database/store.ts';
import { users } from './tables.ts';

export type UserRow = typeof users.$inferSelect;

/** A person's own data. */
export interface AccountDetails {
  firstName: string;
  lastName: string;
  email: string | null;
  countryCode: string;
}

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

/** As `findUser`, with the row locked until the transaction ends. */
export async function lockUser(db: Db, id: number): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id)).for('update');
  return row;
}

export async function findUserByPhone(db: Db, phone: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.phone, phone)).for('update');
  return row;
}

/** The registered people with any of these numbers, the earliest first. */
export async function listUsersByPhones(db: Db, phones: string[]): Promise<UserRow[]> {
  if (phones.length === 0) return [];
  return db.select().from(users).where(inArray(users.phone, phones)).orderBy(users.id);
}

/** The verified people with an e-mail address, in any case: those of `known` ids, then the first to give it. */
export async function listUsersByEmail(
  db: Db,
  email: string,
  { known, limit }: { known: readonly number[]; limit: number },
): Promise<UserRow[]> {
  return db
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), eq(users.isVerified, true)))
    .orderBy(sql`${users.id} = any(${sql.param(known)}::int[]) desc`, users.emailSince, users.id)
    .limit(limit);
}

/** Whether a person's name, e-mail address or number has this text in it, in any spelling. */
export const holds = (word: string) =>
  sql`${users.searchText} like '%' || fold_text(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`;

/** The people whose name or e-mail address has all of these words, or whose number ends with these digits. */
export async function listUserIdsBy(
  db: Db,
  { name, phoneEnding }: { name: readonly string[]; phoneEnding: string | undefined },
): Promise<number[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(
      or(
        and(...name.map(holds)),
        // The phone number ends `searchText`.
        phoneEnding === undefined ? undefined : sql`${users.searchText} like ${`%${phoneEnding}`}`,
      ),
    );
  return rows.map(({ id }) => id);
}

export const createGuest = (db: Db): Promise<UserRow> =>
  insertRow(db, users, { firstName: 'Invité', lastName: '', phone: sql`'guest:' || gen_random_uuid()`, isGuest: true });

/** Writes an unverified sign-up's data, over an earlier one. The password is set only once the number is proven. */
export async function saveUnverifiedUser(db: Db, phone: string, account: AccountDetails): Promise<UserRow> {
  const isOpen = sql`not ${users.isVerified} and not ${users.isAdmin} and ${users.deactivatedAt} is null`;
  return writeAccount(db, { phone, ...account }, isOpen);
}

/** Makes the account verified, with its proven flow's data. */
export async function verifyUser(
  db: Db,
  phone: string,
  account: AccountDetails & { password: string },
): Promise<UserRow> {
  return writeAccount(db, { phone, ...account, isVerified: true });
}

/** Writes an account over the one of its number, if that meets `setWhere`. */
async function writeAccount(
  db: Db,
  { phone, ...account }: typeof users.$inferInsert,
  setWhere?: SQL,
): Promise<UserRow> {
  const given = { ...account, emailSince: sql`now()` };
  const set = { ...given, updatedAt: nextVersion(users.updatedAt) };
  const [row] = await db
    .insert(users)
    .values({ phone, ...given })
    .onConflictDoUpdate({ target: users.phone, set, ...(setWhere && { setWhere }) })
    .returning();
  return row as UserRow;
}

/** Changes a person's own data. A new e-mail address ranks after earlier owners of it. */
export async function saveProfile(
  db: Db,
  user: UserRow,
  profile: Pick<AccountDetails, 'firstName' | 'lastName' | 'email'>,
): Promise<UserRow> {
  const isSameAddress = profile.email?.toLowerCase() === user.email?.toLowerCase();
  const [row] = await db
    .update(users)
    .set({ ...profile, ...(!isSameAddress && { emailSince: sql`now()` }) })
    .where(eq(users.id, user.id))
    .returning();
  return row as UserRow;
}

export async function setPassword(db: Db, id: number, password: string): Promise<UserRow | undefined> {
  const [row] = await db.update(users).set({ password }).where(eq(users.id, id)).returning();
  return row;
}

/** Opens or closes an account; a closed one is kept closed until this opens it. */
export async function setActive(db: Db, id: number, active: boolean): Promise<UserRow | undefined> {
  const [row] = await db
    .update(users)
    .set({ isVerified: active, deactivatedAt: active ? null : sql`now()` })
    .where(eq(users.id, id))
    .returning();
  return row;
}

/** Locks the administrators against deletion and loss of the role; rows may still refer to them. */
export async function lockAdministrators(db: Db): Promise<UserRow[]> {
  return db.select().from(users).where(eq(users.isAdmin, true)).orderBy(asc(users.id)).for('no key update');
}

export async function setAdministratorRole(db: Db, id: number, isAdmin: boolean): Promise<UserRow | undefined> {
  const [row] = await db.update(users).set({ isAdmin }).where(eq(users.id, id)).returning();
  return row;
}

/** Deletes a user; their tickets stay, without them. */
export async function deleteUserRow(db: Db, id: number): Promise<void> {
  await db.delete(users).where(eq(users.id, id));
}

/** Inserts an administrator; undefined if the number has an account. */
export async function insertAdministrator(
  db: Db,
  account: Pick<AccountDetails, 'firstName' | 'lastName'> & { phone: string; password: string },
): Promise<UserRow | undefined> {
  const [row] = await db
    .insert(users)
    .values({ ...account, countryCode: account.phone.slice(0, 4), isVerified: true, isAdmin: true })
    .onConflictDoNothing()
    .returning();
  return row;
}

/** The default name of an administrator. */
export const unnamed = { firstName: 'Administrateur', lastName: 'Guichet' };

export async function hasAdministrator(db: Db): Promise<boolean> {
  return (await db.$count(users, eq(users.isAdmin, true))) > 0;
}
