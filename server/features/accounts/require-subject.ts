import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { lockUser, type UserRow } from '#server/features/users/store.ts';

/** What an administrator does to an account: who acts, and on whom. */
export interface AccountAction {
  actorId: number;
  userId: number;
}

/** One that others' changes of the account, unseen, would make another thing of. */
export interface ExpectingAction extends AccountAction {
  expectedUpdatedAt?: string | null | undefined;
}

/** The user an administrator may act on. Throws USER_NOT_FOUND, or PROTECTED_USER for an administrator or oneself. */
export async function requireSubject(tx: Db, { actorId, userId }: AccountAction): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user) throw new Failure('USER_NOT_FOUND', { message: failureSentences.unknownUser });
  if (user.isAdmin || user.id === actorId) throw new Failure('PROTECTED_USER');
  return user;
}
