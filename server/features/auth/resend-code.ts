import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Asker } from './asker.ts';
import { type AuthTools, type CodeOwner, findCallersFlow, isProven, sendCode } from './codes.ts';
import { requireSending } from './require-sending.ts';
import type { Flow } from './store.ts';

/**
 * Sends another code of the caller's flow, of a sign-up or a reset, and answers the seconds until the next may be asked
 * for. Throws TOO_MANY, USER_NOT_FOUND when there is nothing to resend, ALREADY_VERIFIED when the flow is proven,
 * and SMS_PAUSED.
 */
export async function resendCode(
  tools: AuthTools,
  owner: CodeOwner,
  asker: Asker,
): Promise<{ flow: Flow; retryAfter: number }> {
  const wanted = await findCallersFlow(tools.db, owner);
  if (wanted) await requireSending(tools, wanted, asker);
  return tools.db.transaction(async (tx) => {
    const flow = await findCallersFlow(tx, owner);
    if (!flow && (await isProven(tx, owner))) throw new Failure('ALREADY_VERIFIED');
    if (!flow) throw new Failure('USER_NOT_FOUND', { message: failureSentences.nothingToResend });
    return { flow, retryAfter: await sendCode(tools, tx, flow, { asker }) };
  });
}
