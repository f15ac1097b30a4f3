import { sql } from 'drizzle-orm';
import { check, customType, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '#server/database/columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Images as WebP. The address is a hash of the bytes, so its content never changes. */
export const images = pgTable(
  'images',
  {
    url: text().primaryKey(),
    webp: bytea().notNull(),
    /** At each of `imageSizes` that is smaller than the image itself. */
    webp160: bytea(),
    webp320: bytea(),
    webp640: bytea(),
    /** When the image was last stored, or named in a row: the clean-up spares new ones. */
    keptAt: createdAt(),
  },
  (t) => [
    check('images_url_form', sql`${t.url} ~ '^/uploads/[a-f0-9]{32}\\.webp$'`),
    check('images_webp_not_empty', sql`octet_length(${t.webp}) > 0`),
  ],
);
