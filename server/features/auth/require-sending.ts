import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { secondsUntilCodesGo } from '#server/features/sms/code-pause.ts';
import { requireUnlocked } from './code-lock.ts';
import { requireResets } from './reset-guesses.ts';
import type { Purpose } from './store.ts';

/**
 * Refuses, before anything is done for it, to send a code that could not be: CODE_LOCKED for a number whose codes ended,
 * SMS_PAUSED while resets or its country's codes pause or a cap is reached. Outside of a transaction. The caps are held once
 * more, and exactly, when the message is queued.
 */
export async function requireSending(
  { db, limited }: { db: Db; limited: boolean },
  { phone, purpose }: { phone: string; purpose: Purpose },
): Promise<void> {
  if (!limited) return;
  await requireUnlocked(db, phone);
  if (purpose === 'reset') await requireResets(db);
  const wait = await secondsUntilCodesGo(db, phone);
  if (wait > 0) throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(wait), retryAfter: wait });
}
