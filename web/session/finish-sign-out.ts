import { signOut } from '#contract/auth.ts';
import type { ApiCall } from '#web/api/use-call.ts';
import { readStoredUser } from './stored-user.ts';

const key = 'guichet_leaving';

/** Records a sign-out that did not reach the server. */
export const recordUnfinished = () => localStorage.setItem(key, '1');

/** Ends on the server a session that was signed out offline. A later sign-in has already ended it. */
export async function finishSignOut(call: ApiCall): Promise<void> {
  if (!localStorage.getItem(key)) return;
  if (!readStoredUser()) await call(signOut, {});
  localStorage.removeItem(key);
}
