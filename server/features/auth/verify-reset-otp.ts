import { Failure } from '#contract/failure.ts';
import { findUserByPhone } from '#server/features/users/store.ts';
import type { Asker } from './asker.ts';
import { type AuthTools, type CodeOwner, checkCode } from './codes.ts';
import { deriveResetToken, hashResetToken, makeResetToken, mayReset } from './reset-token.ts';
import { closeFlows, isLiveToken, saveResetToken } from './store.ts';

/**
 * Exchanges a reset code for a token. The browser that lost the answer gets it again: by the cookie of its flow, which that
 * answer would have cleared, under the key it sent, until the token is used or too old. Throws CODE_INVALID, TOO_MANY,
 * SECOND_CODE or SMS_PAUSED.
 */
export async function verifyResetOtp(
  tools: AuthTools,
  owner: CodeOwner,
  { code, key }: { code: string; key: string | undefined },
  asker: Asker,
): Promise<string> {
  const tokenOf = (flowId: string) => (key ? deriveResetToken(tools.secret, { flowId, code, key }) : makeResetToken());
  const lost = key && owner.flowId ? tokenOf(owner.flowId) : undefined;
  if (lost && (await isLiveToken(tools.db, hashResetToken(lost)))) return lost;
  const { flow, use } = await checkCode(tools, owner, code, asker);
  const token = tokenOf(flow.id);
  await tools.db.transaction(async (tx) => {
    const user = await findUserByPhone(tx, flow.phone);
    if (!user || !mayReset(user) || !(await use(tx))) throw new Failure('CODE_INVALID');
    await saveResetToken(tx, user.id, hashResetToken(token));
    await closeFlows(tx, flow.phone, 'reset');
  });
  return token;
}
