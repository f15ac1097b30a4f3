import { useLocation } from 'wouter';
import { signOut } from '#contract/auth.ts';
import { forgetChosenPath } from '#web/chosen-path.ts';
import { paths } from '#web/paths.ts';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useAuth } from './session.tsx';
import { useAction } from './use-action.ts';

/** Ends the session on the server, then here. Without an answer the person stays signed in and is told so. */
export function useSignOut() {
  const { call, setUser } = useAuth();
  const [, navigate] = useLocation();
  const toast = useToast();
  return useAction(async () => {
    try {
      await call(signOut, {});
    } catch (error) {
      const description = failureSentence(error, 'La déconnexion a échoué. Réessayez.');
      return toast({ title: 'Erreur', description, destructive: true });
    }
    forgetChosenPath();
    setUser(undefined);
    toast({ title: 'Déconnexion réussie', description: 'Vous avez été déconnecté avec succès.' });
    navigate(paths.auth);
  });
}
