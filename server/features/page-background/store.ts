import { eq, sql } from 'drizzle-orm';
import { pageBackgroundDefaults } from '#contract/page-background.ts';
import type { Db } from '#server/database/connect.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { backgroundSettings } from './tables.ts';

export type PageBackgroundRow = typeof backgroundSettings.$inferSelect;
type PageBackgroundSettings = Pick<PageBackgroundRow, 'backgroundImage' | 'opacity' | 'blur'>;

export const backgroundImages: ImageColumn = { table: backgroundSettings, column: backgroundSettings.backgroundImage };

const isActive = eq(backgroundSettings.isActive, true);

/** The settings in force; `undefined` before any were saved. */
export async function findPageBackground(db: Db): Promise<PageBackgroundRow | undefined> {
  const [row] = await db.select().from(backgroundSettings).where(isActive);
  return row;
}

/** Saves the settings and answers the image they replaced, if that is another one. */
export async function replacePageBackground(
  db: Db,
  next: PageBackgroundSettings,
): Promise<{ replaced: string | null }> {
  return db.transaction(async (tx) => {
    await tx.insert(backgroundSettings).values(pageBackgroundDefaults).onConflictDoNothing();
    const [before] = await tx.select().from(backgroundSettings).where(isActive).for('update');
    await tx
      .update(backgroundSettings)
      .set({ ...next, updatedAt: sql`now()` })
      .where(isActive);
    const replaced = before?.backgroundImage ?? null;
    return { replaced: replaced === next.backgroundImage ? null : replaced };
  });
}
