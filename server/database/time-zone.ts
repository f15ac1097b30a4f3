import { sql } from 'drizzle-orm';
import { type Db, sqlState } from './connect.ts';

/** The clock of Burkina Faso, for a browser whose zone nobody here knows. */
const standIn = 'UTC';
const offset = /([+-])(\d\d):(\d\d)$/;

/** The offset from UTC that a zone has now, '+05:30'; undefined for what is no zone. */
function offsetOf(timeZone: string): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    return offset.exec(format.format())?.[0] ?? '+00:00';
  } catch {
    return undefined;
  }
}

/**
 * What PostgreSQL takes for the zone that a browser names: the name, or, for an offset and for a name that PostgreSQL
 * does not have, the offset of now. Without a zone that anybody knows it is UTC.
 */
export async function usableTimeZone(db: Db, named = ''): Promise<string> {
  const [, sign, hours, minutes] = offset.exec(offsetOf(named) ?? '') ?? [];
  if (sign === undefined) return standIn;
  const other = sign === '+' ? '-' : '+';
  // As POSIX writes a zone: its name, and what is added to its clock for UTC.
  const fixed = `<${sign}${hours}${minutes}>${other}${hours}:${minutes}`;
  if (/^[+-]/.test(named)) return fixed;
  try {
    await db.execute(sql`select now() at time zone ${named}`);
    return named;
  } catch (error) {
    // PostgreSQL's "time zone … not recognized".
    if (sqlState(error) === '22023') return fixed;
    throw error;
  }
}
