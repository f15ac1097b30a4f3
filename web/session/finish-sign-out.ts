import { signOut } from '#contract/auth.ts';
import type { ApiCall } from '#web/api/use-call.ts';
import { localStore } from '#web/store.ts';
import { readStoredUser } from './stored-user.ts';

const key = 'guichet_leaving';

/** Records a sign-out that did not reach the server. */
export const recordUnfinished = () => localStore.keep(key, '1');

/** Ends on the server a session that was signed out offline. A later sign-in has already ended it. */
export async function finishSignOut(call: ApiCall): Promise<void> {
  if (!localStore.read(key)) return;
  if (!readStoredUser()) await call(signOut, {});
  localStore.forget(key);
}
