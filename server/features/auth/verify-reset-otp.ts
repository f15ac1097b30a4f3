import { Failure } from '#contract/failure.ts';
import { findUserByPhone } from '#server/features/users/store.ts';
import { type AuthTools, type CodeOwner, checkCode } from './codes.ts';
import { hashResetToken, makeResetToken, mayReset } from './reset-token.ts';
import { closeFlows, saveResetToken } from './store.ts';

/** Exchanges a reset code for a token. Throws CODE_INVALID or TOO_MANY. */
export async function verifyResetOtp(
  tools: AuthTools,
  owner: CodeOwner,
  code: string,
  address: string,
): Promise<string> {
  const { flow, use } = await checkCode(tools, owner, code, address);
  const token = makeResetToken();
  await tools.db.transaction(async (tx) => {
    const user = await findUserByPhone(tx, flow.phone);
    if (!user || !mayReset(user) || !(await use(tx))) throw new Failure('CODE_INVALID');
    await saveResetToken(tx, user.id, hashResetToken(token));
    await closeFlows(tx, flow.phone, 'reset');
  });
  return token;
}
