import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { secondsUntilCodesGo } from '#server/features/sms/code-pause.ts';
import { sourceOf } from '#server/features/sms/code-sources.ts';
import { type Asker, isTrusted } from './asker.ts';
import { requireSource } from './require-source.ts';
import type { Purpose } from './store.ts';

/**
 * Refuses, before anything is done for it, to send a code that could not be: SMS_PAUSED while a cap has no room for it or its
 * country's codes pause, TOO_MANY where too many of this address or its network were entered by nobody. Outside of a
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
