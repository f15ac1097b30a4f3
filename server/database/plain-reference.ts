import { sql } from 'drizzle-orm';
import { text } from 'drizzle-orm/pg-core';

/**
 * The form in which two references of an operator are compared: their letters A to Z and digits, in capitals. Null where
 * nothing is left. A stored reference has it in a column.
 */
export const plainReference = (reference: string | null | undefined): string | null =>
  reference?.replace(/[^A-Za-z0-9]/g, '').toUpperCase() || null;

/** The column that has this form of the column `of`, by no locale. */
export const plainReferenceOf = (of: string) =>
  text().generatedAlwaysAs(sql.raw(`nullif(upper(regexp_replace(${of} collate "C", '[^A-Za-z0-9]', '', 'g')), '')`));
