import { signOut } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { forgetOrderDraft } from '#web/order-draft.ts';
import { readPushOwner } from '#web/push/push-owner.ts';
import { navigate } from '#web/router.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useAuth } from './auth.tsx';
import { forgetReturnAddress } from './return-address.ts';

/** Ends the session on the server, then here. Without an answer the person stays signed in and is told so. */
export function useSignOut() {
  const call = useCall();
  const { setUser } = useAuth();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async () => {
    // While the session still stands.
    if (readPushOwner() !== undefined)
      await import('#web/push/subscription.ts').then(({ unsubscribe }) => unsubscribe(call)).catch(() => {});
    try {
      await call(signOut, {});
    } catch (error) {
      return toastFailure(error, { fallback: 'La déconnexion a échoué. Réessayez.' });
    }
    forgetOrderDraft();
    forgetReturnAddress();
    setUser(undefined);
    toast({ title: 'Déconnexion réussie', description: 'Vous avez été déconnecté avec succès.' });
    navigate(addresses.auth, { replace: true });
  });
}
