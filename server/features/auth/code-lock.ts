import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { type Call, statement } from '#server/database/statement.ts';
import { codeLockLimits } from '#server/process/sending-limits.ts';

// Whoever has an account gets out by its password or by support. A number that nobody has verified has neither, and whoever wants
// to keep its owner out needs no more than their number: for it the count begins anew after a day.
const isOver = `
  f.last_at <= now() - make_interval(secs => ${codeLockLimits.unverifiedSeconds})
  and not exists (select from users u where u.phone = f.phone and (u.is_verified or u.is_admin))`;

const reading = statement<{ verified: boolean; secondsLeft: number }>(`
  select exists (select from users u where u.phone = f.phone and (u.is_verified or u.is_admin)) as verified,
         ceil(extract(epoch from f.last_at - now()) + ${codeLockLimits.unverifiedSeconds})::int as "secondsLeft"
  from code_failures f where f.phone = $1 and f.failures >= ${codeLockLimits.failures} and not (${isOver})`);

const taking = statement<{ failures: number }>(`
  insert into code_failures as f (phone, failures) values ($1, 1)
  on conflict (phone) do update set
    failures = case when f.failures < ${codeLockLimits.failures} then f.failures + 1 else 1 end, last_at = now()
  where f.failures < ${codeLockLimits.failures} or (${isOver})
  returning failures`);

const forgetting = statement('delete from code_failures where phone = $1');

/**
 * Throws CODE_LOCKED for a number at which too many wrong codes were entered in a row, whoever entered them; for one that
 * nobody has verified with how long that lasts, a day at most.
 */
export async function requireUnlocked(db: Db, phone: string): Promise<void> {
  const [[lock]] = await db.ask(reading(phone));
  if (lock?.verified) throw new Failure('CODE_LOCKED');
  if (lock) throw new Failure('CODE_LOCKED', { message: failureSentences.lockedFor(Math.max(1, lock.secondsLeft)) });
}

/** Counts a wrong code before it is compared, so that a burst gains nothing. Throws CODE_LOCKED, and it is not compared. */
export async function countCodeFailure(db: Db, phone: string): Promise<void> {
  const [[row]] = await db.ask(taking(phone));
  if (row) return;
  await requireUnlocked(db, phone);
  throw new Failure('CODE_LOCKED');
}

/** Ends a lock and what would lead to one: its owner has shown that it is theirs, or an administrator says so. */
export function forgetCodeFailures(phone: string): Call<never> {
  return forgetting(phone);
}
