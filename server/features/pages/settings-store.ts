import { asc, getTableColumns, sql } from 'drizzle-orm';
import type { ContactForm } from '#contract/settings.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { contactSettings, rejectReasons } from './settings-tables.ts';

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

/** As `readRejectReasons`, and nobody else changes them until the transaction ends; they can be read meanwhile. */
export async function lockRejectReasons(tx: Db): Promise<RejectReasonList> {
  await tx.execute(sql`lock table ${rejectReasons} in share row exclusive mode`);
  return readRejectReasons(tx);
}

/** Puts other reasons in the place of those that the transaction holds. */
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
  /** Null before any was saved. */
  updatedAt: Date | null;
}

/** How to reach the operator; nothing but nulls before any was saved. */
export async function readContact(db: Db): Promise<ContactRow> {
  const { id: _, ...columns } = getTableColumns(contactSettings);
  const [row] = await db.select(columns).from(contactSettings);
  return row ?? { whatsapp: null, phone: null, email: null, updatedAt: null };
}

/** As `readContact`, and nobody else changes it until the transaction ends; it can be read meanwhile. */
export async function lockContact(tx: Db): Promise<ContactRow> {
  await tx.execute(sql`lock table ${contactSettings} in share row exclusive mode`);
  return readContact(tx);
}

export async function writeContact(tx: Db, contact: ContactForm): Promise<ContactRow> {
  const set = { ...contact, updatedAt: nextVersion(contactSettings.updatedAt) };
  await tx.insert(contactSettings).values(contact).onConflictDoUpdate({ target: contactSettings.id, set });
  return readContact(tx);
}
