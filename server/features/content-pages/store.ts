import { and, asc, eq, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
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
  return db
    .select()
    .from(contentPages)
    .orderBy(asc(sql`lower(${contentPages.title})`), asc(contentPages.id));
}

/** Throws SLUG_TAKEN. */
export async function createContentPage(db: Db, fields: Fields): Promise<ContentPageRow> {
  const [row] = await db.insert(contentPages).values(fields).returning().catch(slugTaken);
  return row as ContentPageRow;
}

/** Changes what is given. Throws PAGE_NOT_FOUND, SLUG_TAKEN. */
export async function updateContentPage(db: Db, id: number, fields: Partial<Fields>): Promise<ContentPageRow> {
  const [row] = await db
    .update(contentPages)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(contentPages.id, id))
    .returning()
    .catch(slugTaken);
  if (!row) throw new Failure('PAGE_NOT_FOUND');
  return row;
}

/** Throws PAGE_NOT_FOUND. */
export async function deleteContentPage(db: Db, id: number): Promise<void> {
  const gone = await db.delete(contentPages).where(eq(contentPages.id, id)).returning({ id: contentPages.id });
  if (gone.length === 0) throw new Failure('PAGE_NOT_FOUND');
}

function slugTaken(error: unknown): never {
  throw violatedConstraint(error) === 'content_pages_slug_unique' ? new Failure('SLUG_TAKEN') : error;
}
