import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { type Call, statement } from '#server/database/statement.ts';
import { codeLockLimits } from '#server/process/sending-limits.ts';

const reading = statement<{ locked: boolean }>(`
  select failures >= ${codeLockLimits.failures} as locked from code_failures where phone = $1`);

const taking = statement<{ failures: number }>(`
  insert into code_failures as f (phone, failures) values ($1, 1)
  on conflict (phone) do update set failures = f.failures + 1, last_at = now()
  where f.failures < ${codeLockLimits.failures}
  returning failures`);

const forgetting = statement('delete from code_failures where phone = $1');

/**
 * Throws CODE_LOCKED for a number at which too many wrong codes were entered in a row, whoever entered them and whether it
 * has an account or not.
 */
export async function requireUnlocked(db: Db, phone: string): Promise<void> {
  const [[row]] = await db.ask(reading(phone));
  if (row?.locked) throw new Failure('CODE_LOCKED');
}

/** Counts a wrong code before it is compared, so that a burst gains nothing. Throws CODE_LOCKED, and it is not compared. */
export async function countCodeFailure(db: Db, phone: string): Promise<void> {
  const [[row]] = await db.ask(taking(phone));
  if (!row) throw new Failure('CODE_LOCKED');
}

/** Ends a lock and what would lead to one: its owner has shown that it is theirs, or an administrator says so. */
export function forgetCodeFailures(phone: string): Call<never> {
  return forgetting(phone);
}
