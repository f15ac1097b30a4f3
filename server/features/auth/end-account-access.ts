import type { Db } from '#server/database/connect.ts';
import { deleteUserSubscriptions } from '#server/features/push/store.ts';
import { deleteUserSessions } from '#server/features/sessions/store.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { closeFlows, deleteResetTokens } from './store.ts';

/** Ends every open way into an account: sessions, codes and reset tokens; and its push subscriptions. */
export async function endAccountAccess(tx: Db, user: Pick<UserRow, 'id' | 'phone'>): Promise<void> {
  await deleteUserSessions(tx, user.id);
  await deleteUserSubscriptions(tx, user.id);
  await deleteResetTokens(tx, user.id);
  await closeFlows(tx, user.phone);
}
