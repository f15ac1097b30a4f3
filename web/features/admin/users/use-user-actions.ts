import { useCallback, useState } from 'react';
import type { User } from '#contract/users.ts';
import { useChangeUser } from './use-change-user.ts';
import type { UserAction } from './user-actions.ts';

export interface Asked {
  action: Exclude<UserAction, 'activate'>;
  user: User;
}

/** What was chosen for somebody: opening an account is done at once, anything else asks first, in a dialog. */
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
