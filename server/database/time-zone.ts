import { sql } from 'drizzle-orm';
import { type Db, sqlState } from './connect.ts';

/** The clock of Burkina Faso, for a browser whose zone nobody here knows. */
const standIn = 'UTC';

/** The zone that a browser names, where PostgreSQL knows it too; UTC for any other word, and for an offset, which PostgreSQL reads the other way. */
export async function usableTimeZone(db: Db, named = ''): Promise<string> {
  if (!/^[a-z]+(?:\/[\w/+-]+)?$/i.test(named)) return standIn;
  try {
    await db.execute(sql`select now() at time zone ${named}`);
    return named;
  } catch (error) {
    // PostgreSQL's "time zone … not recognized".
    if (sqlState(error) === '22023') return standIn;
    throw error;
  }
}
