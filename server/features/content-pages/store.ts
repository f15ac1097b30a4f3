import { and, asc, eq, sql } from 'drizzle-orm';
import type { ContentPage } from '#contract/content-pages.ts';
import { Failure } from '#contract/failure.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { contentPages } from '#server/database/tables.ts';

type Row = typeof contentPages.$inferSelect;
type Fields = Pick<Row, 'slug' | 'title' | 'content' | 'isActive'>;

function present({ id, slug, title, content, isActive, createdAt, updatedAt }: Row): ContentPage {
  return {
    ...{ id, slug, title, content, isActive },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Throws PAGE_NOT_FOUND; an inactive page does not exist for readers. */
export async function requireActivePage(db: Db, slug: string): Promise<ContentPage> {
  const [row] = await db
    .select()
    .from(contentPages)
    .where(and(eq(contentPages.slug, slug), eq(contentPages.isActive, true)));
  if (!row) throw new Failure('PAGE_NOT_FOUND');
  return present(row);
}

export async function listContentPages(db: Db): Promise<ContentPage[]> {
  const rows = await db
    .select()
    .from(contentPages)
    .orderBy(asc(sql`lower(${contentPages.title})`), asc(contentPages.id));
  return rows.map(present);
}

/** Throws SLUG_TAKEN. */
export async function createContentPage(db: Db, fields: Fields): Promise<ContentPage> {
  const [row] = await db.insert(contentPages).values(fields).returning().catch(slugTaken);
  return present(row as Row);
}

/** Changes what is given. Throws PAGE_NOT_FOUND, SLUG_TAKEN. */
export async function updateContentPage(db: Db, id: number, fields: Partial<Fields>): Promise<ContentPage> {
  const [row] = await db
    .update(contentPages)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(contentPages.id, id))
    .returning()
    .catch(slugTaken);
  if (!row) throw new Failure('PAGE_NOT_FOUND');
  return present(row);
}

/** Throws PAGE_NOT_FOUND. */
export async function deleteContentPage(db: Db, id: number): Promise<void> {
  const gone = await db.delete(contentPages).where(eq(contentPages.id, id)).returning({ id: contentPages.id });
  if (gone.length === 0) throw new Failure('PAGE_NOT_FOUND');
}

function slugTaken(error: unknown): never {
  throw violatedConstraint(error) === 'content_pages_slug_unique' ? new Failure('SLUG_TAKEN') : error;
}
