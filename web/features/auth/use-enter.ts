import { useLocation } from 'wouter';
import type { User } from '#contract/users.ts';
import { addresses } from '#web/addresses.ts';
import { readOrderDraft, updateOrderDraft } from '#web/order-draft.ts';
import { useAuth } from '#web/session/auth.tsx';

/** Makes a person the signed-in one and brings them home, or back to the order they were making as a guest. */
export function useEnter() {
  const { setUser } = useAuth();
  const [, navigate] = useLocation();
  return (user: User) => {
    const resume = readOrderDraft()?.resume;
    if (resume) updateOrderDraft({ resume: false });
    setUser(user);
    navigate(resume ? addresses.summary : addresses.home);
  };
}
