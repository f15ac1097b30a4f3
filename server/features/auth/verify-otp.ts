import { Failure } from '#contract/failure.ts';
import { findUserByPhone, type UserRow, verifyUser } from '#server/features/users/store.ts';
import type { Asker } from './asker.ts';
import { type AuthTools, type CodeOwner, checkCode } from './codes.ts';
import { closeFlows } from './store.ts';

/**
 * Verifies a number: the account becomes what the proven flow claims. Throws CODE_INVALID, TOO_MANY, SECOND_CODE, SMS_PAUSED,
 * or ALREADY_VERIFIED when this browser's own flow did it before and the answer was lost.
 */
export async function verifyOtp(tools: AuthTools, owner: CodeOwner, code: string, asker: Asker): Promise<UserRow> {
  const { flow, use } = await checkCode(tools, owner, code, asker);
  return tools.db.transaction(async (tx) => {
    const known = await findUserByPhone(tx, flow.phone);
    const closed = known && (known.deactivatedAt || known.isVerified || known.isAdmin);
    if (closed || !flow.claim || !(await use(tx))) throw new Failure('CODE_INVALID');
    const user = await verifyUser(tx, flow.phone, flow.claim);
    await closeFlows(tx, flow.phone, 'signup');
    return user;
  });
}
