import { createHmac, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { productKeys } from './tables.ts';

/** What must be read again on another server, under other settings, 256 bits each. */
export interface ProductKeys {
  /** Signs the codes of receipts. */
  receipts: Buffer;
  /** Seals texts of messages, and the keys that phones and wallets sign with. */
  messages: Buffer;
}

const sessionSecret = 'SESSION_SECRET';

/** The database's keys, made where it has none. */
export async function openProductKeys(db: Db): Promise<ProductKeys> {
  const made: ProductKeys = { receipts: randomBytes(32), messages: randomBytes(32) };
  // Of processes that start together the first one's stay.
  await db
    .insert(productKeys)
    .values(Object.entries(made).map(([name, key]) => ({ name, key: key.toString('base64url') })))
    .onConflictDoNothing();
  const stored = new Map((await db.select().from(productKeys)).map(({ name, key }) => [name, key]));
  const keyOf = (name: keyof ProductKeys) => Buffer.from(stored.get(name) ?? '', 'base64url');
  return { receipts: keyOf('receipts'), messages: keyOf('messages') };
}

/** Tells a secret from another one, and nothing else of it. */
const checkValueOf = (secret: string) => createHmac('sha256', secret).update('check value').digest('base64url');

/** Whether the database was last used with another SESSION_SECRET; none counts as another. False of a database that never was. */
export async function isOtherSecret(db: Db, secret: string | undefined): Promise<boolean> {
  const [known] = await db.select().from(productKeys).where(eq(productKeys.name, sessionSecret));
  return known !== undefined && (secret === undefined || known.key !== checkValueOf(secret));
}

/** Remembers the SESSION_SECRET that the database is used with from now on. */
export async function rememberSecret(db: Db, secret: string): Promise<void> {
  const key = checkValueOf(secret);
  await db
    .insert(productKeys)
    .values({ name: sessionSecret, key })
    .onConflictDoUpdate({ target: productKeys.name, set: { key }, setWhere: sql`${productKeys.key} <> ${key}` });
}

/** What another SESSION_SECRET means, in French. */
export const otherSecret =
  "SESSION_SECRET n'est plus celui d'avant : les codes SMS en cours et les navigateurs connus ne valent plus. Les comptes, les reçus, les SMS de paiement et les téléphones reliés restent.";
