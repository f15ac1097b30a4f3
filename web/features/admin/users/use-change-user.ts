import { useRef } from 'react';
import {
  activateUser,
  deactivateUser,
  deleteUser,
  listUsers,
  readUser,
  resetUserPassword,
  setAdministrator,
} from '#contract/accounts.ts';
import type { User } from '#contract/users.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useRemoveRow, useReplaceRows } from '#web/api/use-list.ts';
import { NotConfirmed, useConfirmed } from '#web/features/admin/shared/confirm-password.tsx';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { type Toast, useToast } from '#web/ui/toast.tsx';
import { userName } from './user-facts.tsx';

/** Changes of an account, reported in a toast. Each resolves with its success. */
export function useChangeUser() {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listUsers);
  const remove = useRemoveRow(listUsers);
  const toast = useToast();
  const toastFailure = useFailureToast();
  const confirmed = useConfirmed();

  /** Account versions already reported as changed: a retry is deliberate. */
  const reported = useRef(new Map<number, string>());

  const attempt = async (write: () => Promise<void>, done: Toast, fallback: string): Promise<boolean> => {
    try {
      await write();
      toast(done);
      return true;
    } catch (error) {
      if (error instanceof NotConfirmed) return false;
      toastFailure(error, { fallback });
      void refresh(listUsers, readUser);
      return false;
    }
  };
  const store = (changed: User) => {
    replace([changed]);
    void refresh(listUsers, readUser);
  };
  /** Changes the version that the administrator saw. */
  const changeSeen = async (user: User, write: (seen: { expectedUpdatedAt: string }) => Promise<User>) => {
    try {
      store(await write({ expectedUpdatedAt: reported.current.get(user.id) ?? user.updatedAt }));
    } catch (error) {
      if (hasCode(error, 'CHANGED_MEANWHILE'))
        reported.current.set(user.id, (await call(readUser, paramsOf(user))).updatedAt);
      throw error;
    }
  };
  const paramsOf = ({ id }: User) => ({ params: { id: String(id) } });

  return {
    resetPassword: (user: User, password: string) =>
      attempt(
        () =>
          changeSeen(user, (seen) =>
            confirmed(() => call(resetUserPassword, { ...paramsOf(user), body: { password, ...seen } })),
          ),
        {
          title: 'Mot de passe réinitialisé',
          description: `${userName(user)} se connectera avec le nouveau mot de passe.`,
        },
        'Impossible de réinitialiser le mot de passe.',
      ),
    deactivate: (user: User) =>
      attempt(
        async () => store(await call(deactivateUser, paramsOf(user))),
        {
          title: 'Utilisateur désactivé',
          description: `Le compte de ${userName(user)} est temporairement désactivé.`,
        },
        "Impossible de désactiver l'utilisateur.",
      ),
    activate: (user: User) =>
      attempt(
        () => changeSeen(user, (seen) => call(activateUser, { ...paramsOf(user), body: seen })),
        { title: 'Utilisateur réactivé', description: `${userName(user)} peut de nouveau se connecter.` },
        "Impossible de réactiver l'utilisateur.",
      ),
    setAdministrator: (user: User, isAdmin: boolean) =>
      attempt(
        () =>
          changeSeen(user, (seen) =>
            confirmed(() => call(setAdministrator, { ...paramsOf(user), body: { isAdmin, ...seen } })),
          ),
        {
          title: 'Rôle mis à jour',
          description: isAdmin
            ? `${userName(user)} a maintenant le rôle d'administrateur.`
            : `${userName(user)} n'a plus le rôle d'administrateur.`,
        },
        'Impossible de modifier le rôle.',
      ),
    remove: (user: User) =>
      attempt(
        async () => {
          remove((await call(deleteUser, paramsOf(user))).id);
          void refresh(listUsers);
        },
        {
          title: 'Utilisateur supprimé',
          description: `Le compte de ${userName(user)} est définitivement supprimé. C'est irréversible.`,
        },
        "Impossible de supprimer l'utilisateur.",
      ),
  };
}
