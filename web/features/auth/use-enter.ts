import type { User } from '#contract/users.ts';
import { addresses } from '#web/addresses.ts';
import { forgetTyped } from '#web/forms/use-kept.ts';
import { keepOrderDraft, readOrderDraft } from '#web/order-draft.ts';
import { leaveSteps } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { forgetReturnAddress, readReturnAddress } from '#web/session/return-address.ts';
import { storeUser } from '#web/session/stored-user.ts';

/** Signs a person in here and leads to their unsent order, to the screen where their session ended, or home. */
export function useEnter() {
  const { setUser } = useAuth();
  return (user: User) => {
    const draft = readOrderDraft();
    const ended = user.isGuest ? undefined : readReturnAddress();
    forgetReturnAddress();
    forgetTyped('auth', 'sign-in', 'sign-up', 'forgot-password');
    // Stored first: the step back may reload the page.
    storeUser(user);
    if (draft?.resume) keepOrderDraft({ ...draft, resume: false });
    leaveSteps(draft?.resume ? addresses.summary : (ended ?? addresses.home), () => setUser(user));
  };
}
