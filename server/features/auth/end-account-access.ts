import type { Db } from '#server/database/connect.ts';
import { deleteUserSubscriptions } from '#server/features/push/store.ts';
import { deleteUserSessions } from '#server/features/sessions/store.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { closeFlows, deleteResetTokens } from './store.ts';

/** Ends every way into an account that is open now: sessions, codes, reset tokens; and what its browsers are told. */
export async function endAccountAccess(tx: Db, user: Pick<UserRow, 'id' | 'phone'>): Promise<void> {
  await deleteUserSessions(tx, user.id);
  await deleteUserSubscriptions(tx, user.id);
  await deleteResetTokens(tx, user.id);
  await closeFlows(tx, user.phone);
}
