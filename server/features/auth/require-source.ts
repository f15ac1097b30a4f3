import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { type CodeSource, secondsUntilSourceMayAsk } from '#server/features/sms/code-sources.ts';

/** Throws TOO_MANY where too many codes of an address or its network were never entered. */
export async function requireSource(
  db: Db,
  source: CodeSource | undefined,
  which: { isTrusted: boolean; queued?: boolean },
): Promise<void> {
  const wait = await secondsUntilSourceMayAsk(db, source, which);
  if (wait > 0) throw new Failure('TOO_MANY', { message: failureSentences.waitForEntered(wait), retryAfter: wait });
}
