import type { UserRow } from '#server/features/users/store.ts';

/** What the failed sign-ins of an account are counted under. */
export function accountKey(user: Pick<UserRow, 'id'>): string {
  return `user:${user.id}`;
}
