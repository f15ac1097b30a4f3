import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, uuid } from 'drizzle-orm/pg-core';

/** What this database's images are marked with where they lie; one row, which no backup has. */
export const imageOwner = pgTable(
  'image_owner',
  {
    id: boolean().primaryKey().default(true),
    name: uuid().notNull().defaultRandom(),
  },
  (t) => [check('image_owner_one', sql`${t.id}`)],
);
