import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { compareFrench } from '#contract/french-order.ts';
import { type BackgroundLook, pageBackgroundDefaults } from '#contract/page-background.ts';
import type { ContactForm } from '#contract/settings.ts';
import { nextVersion, requireUnchanged } from '#server/database/columns.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { insertRow } from '#server/database/store.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { backgroundSettings, contactSettings, contentPages, rejectReasons } from './tables.ts';

export type ContentPageRow = typeof contentPages.$inferSelect;
type Fields = Pick<ContentPageRow, 'slug' | 'title' | 'content' | 'isActive'>;

/** Throws PAGE_NOT_FOUND; an inactive page does not exist for readers. */
export async function requireActivePage(db: Db, slug: string): Promise<ContentPageRow> {
  const [row] = await db
    .select()
    .from(contentPages)
    .where(and(eq(contentPages.slug, slug), eq(contentPages.isActive, true)));
  if (!row) throw new Failure('PAGE_NOT_FOUND');
  return row;
}

export async function listContentPages(db: Db): Promise<ContentPageRow[]> {
  const rows = await db.select().from(contentPages);
  return rows.sort((a, b) => compareFrench(a.title, b.title) || a.id - b.id);
}

/** Throws SLUG_TAKEN. */
export const createContentPage = (db: Db, fields: Fields): Promise<ContentPageRow> =>
  insertRow(db, contentPages, fields).catch(slugTaken);

/** Changes what is given, in the transaction of `tx`. Throws PAGE_NOT_FOUND, SLUG_TAKEN, CHANGED_MEANWHILE. */
export async function updateContentPage(
  tx: Db,
  id: number,
  { expectedUpdatedAt, ...fields }: Partial<Fields> & { expectedUpdatedAt?: string | null | undefined },
): Promise<ContentPageRow> {
  const isPage = eq(contentPages.id, id);
  const [before] = await tx.select().from(contentPages).where(isPage).for('update');
  if (!before) throw new Failure('PAGE_NOT_FOUND');
  requireUnchanged(before.updatedAt, expectedUpdatedAt);
  const changes = { ...fields, updatedAt: nextVersion() };
  const [after] = await tx.update(contentPages).set(changes).where(isPage).returning().catch(slugTaken);
  return after as ContentPageRow;
}

/** Answers the row that is gone. Throws PAGE_NOT_FOUND. */
export async function deleteContentPage(db: Db, id: number): Promise<ContentPageRow> {
  const [gone] = await db.delete(contentPages).where(eq(contentPages.id, id)).returning();
  if (!gone) throw new Failure('PAGE_NOT_FOUND');
  return gone;
}

function slugTaken(error: unknown): never {
  throw violatedConstraint(error) === 'content_pages_slug_unique' ? new Failure('SLUG_TAKEN') : error;
}

export type PageBackgroundRow = typeof backgroundSettings.$inferSelect;

export const backgroundImages: ImageColumn = { table: backgroundSettings, column: backgroundSettings.backgroundImage };

const isActive = eq(backgroundSettings.isActive, true);

/** The settings in force; `undefined` before any were saved. */
export async function findPageBackground(db: Db): Promise<PageBackgroundRow | undefined> {
  const [row] = await db.select().from(backgroundSettings).where(isActive);
  return row;
}

/** The settings, locked until the transaction ends; before any were saved the defaults, without a version. */
export async function lockPageBackground(
  tx: Db,
): Promise<Omit<PageBackgroundRow, 'updatedAt'> & { updatedAt: Date | null }> {
  const [created] = await tx
    .insert(backgroundSettings)
    .values(pageBackgroundDefaults)
    .onConflictDoNothing()
    .returning();
  if (created) return { ...created, updatedAt: null };
  const [row] = await tx.select().from(backgroundSettings).where(isActive).for('update');
  return row as PageBackgroundRow;
}

/** Changes the settings, which the transaction holds. */
export async function updatePageBackground(tx: Db, look: BackgroundLook): Promise<PageBackgroundRow> {
  const [row] = await tx
    .update(backgroundSettings)
    .set({ ...look, updatedAt: nextVersion() })
    .where(isActive)
    .returning();
  return row as PageBackgroundRow;
}

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
