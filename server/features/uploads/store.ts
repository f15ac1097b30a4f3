import { eq, isNotNull } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Db } from '#server/database/connect.ts';
import { backgroundSettings, paymentTypes, services } from '#server/database/tables.ts';

const named = (db: Db) =>
  union(
    db.select({ url: services.pictureUrl }).from(services).where(isNotNull(services.pictureUrl)),
    db.select({ url: paymentTypes.pictureUrl }).from(paymentTypes).where(isNotNull(paymentTypes.pictureUrl)),
    db
      .select({ url: backgroundSettings.backgroundImage })
      .from(backgroundSettings)
      .where(isNotNull(backgroundSettings.backgroundImage)),
  ).as('named');

/** Whether any row names this image. */
export async function isImageNamed(db: Db, url: string): Promise<boolean> {
  const images = named(db);
  return (await db.select().from(images).where(eq(images.url, url)).limit(1)).length > 0;
}

/** The URLs of every image that a row names. */
export async function listNamedImages(db: Db): Promise<Set<string>> {
  const rows = await db.select().from(named(db));
  return new Set(rows.flatMap(({ url }) => url ?? []));
}
