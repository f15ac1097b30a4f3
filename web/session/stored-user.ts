import type { User } from '#contract/users.ts';
import { localStore } from '#web/store.ts';

/** The storage key of the signed-in user, which decides only the display, never access. */
export const storedUserKey = 'guichet_user';

/** The stored user; an invalid entry is removed. */
export function readStoredUser(): User | undefined {
  const stored = localStore.read(storedUserKey);
  if (!stored) return undefined;
  try {
    const user = JSON.parse(stored) as User | null;
    if (typeof user?.id === 'number' && typeof user.firstName === 'string') return user;
  } catch {
    // P2.3. The entry is removed below, like any other that is no user.
    // biome-ignore lint/suspicious/noConsole: see above
    console.log('the stored user cannot be parsed');
  }
  storeUser(undefined);
  return undefined;
}

/** Stores the user, or removes the entry. The stored data of other people is removed. */
export function storeUser(user: User | undefined): void {
  localStore.forgetAnswers(user?.id);
  if (user) localStore.keep(storedUserKey, JSON.stringify(user));
  else localStore.forget(storedUserKey);
}
