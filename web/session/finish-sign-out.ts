import { signOut } from '#contract/auth.ts';
import type { ApiCall } from '#web/api/use-call.ts';
import { readStoredUser } from './stored-user.ts';

const key = 'guichet_leaving';

/** Records a sign-out that did not reach the server. */
export const noteUnfinished = () => localStorage.setItem(key, '1');

/** Ends on the server the session of who signed out without a line. Whoever has come in since has ended it by that. */
export async function finishSignOut(call: ApiCall): Promise<void> {
  if (!localStorage.getItem(key)) return;
  if (!readStoredUser()) await call(signOut, {});
  localStorage.removeItem(key);
}
