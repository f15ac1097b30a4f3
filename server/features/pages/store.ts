import { and, eq } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { compareFrench } from '#contract/french-order.ts';
import { nextVersion, requireUnchanged } from '#server/database/columns.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { insertRow } from '#server/database/store.ts';
import { contentPages } from './tables.ts';

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
