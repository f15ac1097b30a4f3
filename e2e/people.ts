import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { CountryCode } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { createSession } from '#server/features/entry/sessions-store.ts';
import { hashPassword } from '#server/features/users/password.ts';
import { presentUser } from '#server/features/users/present.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { users } from '#server/features/users/tables.ts';
import { passwordCost } from '#server/testing/builders.ts';
import type { Product } from './product.ts';

export const password = 'secret-123';
const hashed = hashPassword(password, passwordCost);

export interface Person {
  firstName: string;
  lastName: string;
  /** National digits. */
  phone: string;
  /** By default of Burkina Faso. */
  countryCode?: CountryCode;
  email?: string;
}

/** A user's session: the cookie of a browser or of an API client. */
export interface Entrance {
  user: User;
  cookie: { name: string; value: string; url: string };
}

/** A new verified account, as a sign-up makes it, without a session. */
export async function makeAccount(
  product: Product,
  { countryCode = '+226', phone, ...names }: Person,
): Promise<UserRow> {
  const db = await product.openDatabase();
  const account = { ...names, countryCode, phone: countryCode + phone, isVerified: true, password: await hashed };
  const [user] = await db.insert(users).values(account).returning();
  return user as UserRow;
}

/** Signs a new person in through the database. */
export const enter = async (product: Product, person: Person): Promise<Entrance> =>
  openSession(product, await makeAccount(product, person));

/** Signs in the first start's administrator through the database. */
export async function enterPanel(product: Product): Promise<Entrance> {
  const db = await product.openDatabase();
  const [administrator] = await db.select().from(users).where(eq(users.isAdmin, true)).orderBy(users.id).limit(1);
  return openSession(product, administrator as UserRow);
}

async function openSession(product: Product, user: UserRow): Promise<Entrance> {
  const value = randomBytes(32).toString('base64url');
  const sid = createHash('sha256').update(value).digest('hex');
  await createSession(await product.openDatabase(), { sid, previous: undefined, user });
  return { user: presentUser(user), cookie: { name: 'guichet_session', value, url: product.url } };
}
