import { sql } from 'drizzle-orm';
import { check, customType, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '#server/database/columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Images as WebP. An address names its bytes, so that what is shown there never changes. */
export const images = pgTable(
  'images',
  {
    url: text().primaryKey(),
    webp: bytea().notNull(),
    /** At each of `imageSizes` that is smaller than the image itself. */
    webp160: bytea(),
    webp320: bytea(),
    webp640: bytea(),
    /** When somebody last stored the image, or named it in a row: the clean-up leaves alone what is new. */
    keptAt: createdAt(),
  },
  (t) => [
    check('images_url_form', sql`${t.url} ~ '^/uploads/[a-f0-9]{32}\\.webp$'`),
    check('images_webp_not_empty', sql`octet_length(${t.webp}) > 0`),
  ],
);
