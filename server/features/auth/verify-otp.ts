import { Failure } from '#contract/failure.ts';
import { violatedConstraint } from '#server/database/connect.ts';
import { type AccountDetails, findUserByPhone, type UserRow, verifyUser } from '#server/features/users/store.ts';
import { type AuthTools, type CodeOwner, checkCode } from './codes.ts';
import { closeFlows } from './store.ts';

/**
 * Verifies a number: the account becomes what the proven flow claims. Throws CODE_INVALID, TOO_MANY, or ALREADY_VERIFIED
 * when this browser's own flow did it before and the answer was lost.
 */
export async function verifyOtp(tools: AuthTools, owner: CodeOwner, code: string, address: string): Promise<UserRow> {
  const { flow, use } = await checkCode(tools, owner, code, address);
  const verify = (claim: AccountDetails | null) =>
    tools.db.transaction(async (tx) => {
      const known = await findUserByPhone(tx, flow.phone);
      const closed = known && (known.deactivatedAt || known.isVerified || known.isAdmin);
      if (closed || !claim || !(await use(tx))) throw new Failure('CODE_INVALID');
      const user = await verifyUser(tx, flow.phone, claim);
      await closeFlows(tx, flow.phone, 'signup');
      return user;
    });
  return verify(flow.claim).catch((error: unknown) => {
    // Somebody verified the same e-mail at this very moment: it is theirs.
    if (violatedConstraint(error) !== 'users_email_once' || !flow.claim) throw error;
    return verify({ ...flow.claim, email: null });
  });
}
