import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';
import { clearAlarm, raiseAlarm } from '#server/features/alarms/store.ts';
import { resetGuessLimits } from '#server/process/sending-limits.ts';

// Rows among the rate limits' counters, which a restart and other processes know and the clean-up deletes.
const counter = 'resetGuesses';
const pause = 'resetPause';
const alarm = 'resets';
const now = 'extract(epoch from clock_timestamp()) * 1000';

const reading = statement<{ wait: number }>(`
  select (expire - ${now})::float8 / 1000 as wait from rate_limits where key = '${pause}' and expire > ${now}`);

const counting = statement<{ failures: number }>(`
  insert into rate_limits as r (key, points, expire)
  values ('${counter}', 1, ${now} + ${resetGuessLimits.daySeconds * 1000})
  on conflict (key) do update set
    points = case when r.expire <= ${now} then 1 else r.points + 1 end,
    expire = case when r.expire <= ${now} then excluded.expire else r.expire end
  returning points as failures`);

const pausing = statement(`
  insert into rate_limits (key, points, expire)
  values ('${pause}', 0, ${now} + ${resetGuessLimits.pauseSeconds * 1000})
  on conflict (key) do update set expire = excluded.expire`);

const givingBack = statement(`update rate_limits set points = greatest(points - 1, 0) where key = '${counter}'`);
const resuming = statement(`delete from rate_limits where key = '${pause}'`);

/** Throws SMS_PAUSED while resets by SMS pause: somebody guesses at everybody's codes. */
export async function requireResets(db: Db): Promise<void> {
  const [[row]] = await db.ask(reading());
  if (row) throw refusal(row.wait);
}

/**
 * Counts a wrong reset code, of whichever number, before it is compared. The last one that a day has pauses resets for an
 * hour, and so does each further one: from then on an hour brings one guess, and not one for each message that was sent.
 * Answers what takes it back, where the code was right. Throws SMS_PAUSED, and the code is not compared.
 */
export async function countResetGuess(db: Db): Promise<{ takeBack: () => Promise<void> }> {
  const paused = await db.transaction(async (tx) => {
    // The counter's row first: whoever guesses at the same time waits there, and sees the pause.
    const [[counted]] = await tx.ask(counting());
    const [[row]] = await tx.ask(reading());
    if (row) throw refusal(row.wait);
    if ((counted?.failures ?? 0) < resetGuessLimits.failures) return false;
    await tx.ask(pausing());
    await raiseAlarm(tx, { key: alarm, level: 'critical', message: sentence });
    return true;
  });
  return {
    takeBack: () => db.transaction(async (tx) => void (await tx.ask(givingBack(), ...(paused ? [resuming()] : [])))),
  };
}

const sentence =
  `Plus de ${resetGuessLimits.failures} codes de réinitialisation faux en un jour : quelqu’un essaie d’entrer dans les comptes. ` +
  'Les réinitialisations par SMS sont suspendues une heure à la fois. Qui a perdu son mot de passe s’adresse au support, qui ' +
  'en choisit un dans Utilisateurs.';

/** Takes the alarm back once the day of the wrong codes is over. */
export async function settleResetAlarm(db: Db): Promise<void> {
  const [[counted], [row]] = await db.ask(looking(), reading());
  if (!row && !counted) await clearAlarm(db, alarm);
}
const looking = statement<{ failures: number }>(`
  select points as failures from rate_limits
  where key = '${counter}' and expire > ${now} and points >= ${resetGuessLimits.failures}`);

function refusal(wait: number): Failure {
  const retryAfter = Math.max(1, Math.ceil(wait));
  return new Failure('SMS_PAUSED', { message: failureSentences.resetsPaused(retryAfter), retryAfter });
}
