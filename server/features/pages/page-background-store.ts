import { eq } from 'drizzle-orm';
import { type BackgroundLook, pageBackgroundDefaults } from '#contract/page-background.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { backgroundSettings } from './page-background-tables.ts';

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
