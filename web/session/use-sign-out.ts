import { signOut } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { NoAnswer } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAction } from '#web/forms/use-action.ts';
import { readPushOwner } from '#web/push/push-owner.ts';
import { leaveSteps } from '#web/router.tsx';
import { sessionStore } from '#web/store.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useAuth } from './auth.tsx';
import { recordUnfinished } from './finish-sign-out.ts';

/** A window event before a sign-out. Its detail is called with what is still being sent, which needs the session. */
export const leavingEvent = 'guichet:leaving';

/**
 * Ends the session on the server, then removes the person's data here. Offline it ends here at once, and on the server
 * after reconnection. A refusal is shown, and the person stays signed in.
 */
export function useSignOut() {
  const call = useCall();
  const { setUser } = useAuth();
  const toast = useToast();
  const end = async () => {
    const sending: Promise<unknown>[] = [];
    const detail = (sent: Promise<unknown>) => sending.push(sent);
    dispatchEvent(new CustomEvent(leavingEvent, { detail }));
    await Promise.allSettled(sending);
    // This call needs the session.
    if (readPushOwner() !== undefined)
      await import('#web/push/subscription.ts').then(({ unsubscribe }) => unsubscribe(call)).catch(() => {});
    let description = 'Vous avez été déconnecté avec succès.';
    try {
      await call(signOut, {});
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      recordUnfinished();
      description = 'Rien ne reste sur cet appareil\u00a0; la session sera fermée au retour du réseau.';
    }
    // Drafts, typed values and the return address.
    for (const key of sessionStore.keys()) sessionStore.forget(key);
    // Without its person a screen of the panel leads home: it ends where the way does.
    leaveSteps(addresses.auth, () => {
      setUser(undefined);
      toast({ title: 'Déconnexion réussie', description });
    });
  };
  return useAction(end, { failure: { fallback: 'La déconnexion a échoué. Réessayez.' } });
}
