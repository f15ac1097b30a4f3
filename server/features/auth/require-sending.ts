import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { secondsUntilCodesGo } from '#server/features/sms/code-pause.ts';
import { sourceOf } from '#server/features/sms/code-sources.ts';
import { type Asker, isTrusted } from './asker.ts';
import { requireSource } from './require-source.ts';
import type { Purpose } from './store.ts';

/**
 * Refuses a code early that could not be sent. Throws SMS_PAUSED while a cap is full or the country's codes pause, and
 * TOO_MANY after too many unentered codes of this address or network. Outside of a
 * transaction. Caps and sources are held once more, and exactly, when the message is queued.
 */
export async function requireSending(
  { db, limited, secret }: { db: Db; limited: boolean; secret: string },
  { phone, purpose }: { phone: string; purpose: Purpose },
  asker: Asker,
): Promise<void> {
  if (!limited) return;
  const trusted = isTrusted(purpose, asker);
  const wait = await secondsUntilCodesGo(db, phone, trusted ? 'trusted' : 'signup');
  if (wait > 0) throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(wait), retryAfter: wait });
  await requireSource(db, sourceOf(secret, asker.address), { isTrusted: trusted });
}
