import { useCallback, useState } from 'react';
import type { User } from '#contract/users.ts';
import { useChangeUser } from './use-change-user.ts';
import type { UserAction } from './user-actions.ts';

export interface Asked {
  action: Exclude<UserAction, 'activate'>;
  user: User;
}

/** The chosen action for a user: activation runs at once, every other action opens a dialog. */
export function useUserActions() {
  const [asked, setAsked] = useState<Asked>();
  const change = useChangeUser();
  const ask = (action: UserAction, user: User) => {
    if (action === 'activate') void change.activate(user);
    else setAsked({ action, user });
  };
  const close = useCallback(() => setAsked(undefined), []);
  return { ask, asked, close };
}
