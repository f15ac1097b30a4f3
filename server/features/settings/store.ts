import { asc, getTableColumns, sql } from 'drizzle-orm';
import type { ContactForm } from '#contract/settings.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { contactSettings, rejectReasons } from './tables.ts';

/** The reasons for a rejection, in their order. */
export interface RejectReasonList {
  reasons: string[];
  /** Null for an empty list. */
  updatedAt: Date | null;
}

export async function readRejectReasons(db: Db): Promise<RejectReasonList> {
  const rows = await db.select().from(rejectReasons).orderBy(asc(rejectReasons.position));
  return { reasons: rows.map((row) => row.text), updatedAt: rows[0]?.updatedAt ?? null };
}

/** As `readRejectReasons`, locked against changes until the transaction ends; others can read them meanwhile. */
export async function lockRejectReasons(tx: Db): Promise<RejectReasonList> {
  await tx.execute(sql`lock table ${rejectReasons} in share row exclusive mode`);
  return readRejectReasons(tx);
}

/** Replaces the locked reasons. */
export async function replaceRejectReasons(
  tx: Db,
  before: RejectReasonList,
  reasons: readonly string[],
): Promise<RejectReasonList> {
  await tx.delete(rejectReasons);
  const updatedAt = nextVersion(sql`${before.updatedAt?.toISOString() ?? null}::timestamptz`);
  const rows = reasons.map((text, index) => ({ position: index + 1, text, updatedAt }));
  if (rows.length > 0) await tx.insert(rejectReasons).values(rows);
  return readRejectReasons(tx);
}

export interface ContactRow extends ContactForm {
  /** Null before the first change. */
  updatedAt: Date | null;
}

/** The operator's contact data; all null before the first change. */
export async function readContact(db: Db): Promise<ContactRow> {
  const { id: _, ...columns } = getTableColumns(contactSettings);
  const [row] = await db.select(columns).from(contactSettings);
  return row ?? { whatsapp: null, phone: null, email: null, updatedAt: null };
}

/** As `readContact`, locked against changes until the transaction ends; others can read it meanwhile. */
export async function lockContact(tx: Db): Promise<ContactRow> {
  await tx.execute(sql`lock table ${contactSettings} in share row exclusive mode`);
  return readContact(tx);
}

export async function writeContact(tx: Db, contact: ContactForm): Promise<ContactRow> {
  const set = { ...contact, updatedAt: nextVersion(contactSettings.updatedAt) };
  await tx.insert(contactSettings).values(contact).onConflictDoUpdate({ target: contactSettings.id, set });
  return readContact(tx);
}
