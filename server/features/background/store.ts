import { eq, sql } from 'drizzle-orm';
import { type Background, backgroundDefaults } from '#contract/background.ts';
import type { Db } from '#server/database/connect.ts';
import { backgroundSettings } from '#server/database/tables.ts';

const columns = {
  backgroundImage: backgroundSettings.backgroundImage,
  opacity: backgroundSettings.opacity,
  blur: backgroundSettings.blur,
};

/** The active settings, or the defaults: no image, opacity 30 %, blur 5 px. */
export async function readBackground(db: Db): Promise<Background> {
  const [row] = await db.select(columns).from(backgroundSettings).where(eq(backgroundSettings.isActive, true));
  return row ?? backgroundDefaults;
}

export async function hasBackground(db: Db): Promise<boolean> {
  return (await db.$count(backgroundSettings)) > 0;
}

/** Saves the settings and answers the image they replaced, if that is another one. */
export async function saveBackground(db: Db, next: Background): Promise<{ replaced: string | null }> {
  return db.transaction(async (tx) => {
    await tx.insert(backgroundSettings).values(backgroundDefaults).onConflictDoNothing();
    const [before] = await tx
      .select(columns)
      .from(backgroundSettings)
      .where(eq(backgroundSettings.isActive, true))
      .for('update');
    await tx
      .update(backgroundSettings)
      .set({ ...next, updatedAt: sql`now()` })
      .where(eq(backgroundSettings.isActive, true));
    const replaced = before?.backgroundImage ?? null;
    return { replaced: replaced === next.backgroundImage ? null : replaced };
  });
}
