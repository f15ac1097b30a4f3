import { useState } from 'react';
import * as z from 'zod/mini';
import { readUser } from '#contract/accounts.ts';
import { minimumPasswordLength, password } from '#contract/passwords.ts';
import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useChangeUser } from './use-change-user.ts';
import { userName } from './user-facts.tsx';

export type UserAction = 'reset-password' | 'activate' | 'deactivate' | 'promote' | 'demote' | 'delete';

export const actionLabels: Record<UserAction, string> = {
  'reset-password': 'Réinitialiser le mot de passe',
  activate: 'Activer',
  deactivate: 'Désactiver',
  promote: 'Nommer administrateur',
  demote: "Retirer le rôle d'administrateur",
  delete: 'Supprimer définitivement',
};

/** The actions offered for an account: none that the server would refuse to this administrator. */
export function actionsFor(
  user: Pick<User, 'id' | 'isAdmin' | 'isGuest' | 'isVerified'>,
  callerId: number | undefined,
): UserAction[] {
  const { isAdmin, isGuest, isVerified } = user;
  if (user.id === callerId) return ['reset-password'];
  if (isAdmin) return ['demote'];
  if (isGuest) return ['delete'];
  return isVerified ? ['reset-password', 'deactivate', 'promote', 'delete'] : ['reset-password', 'activate', 'delete'];
}

interface Asked {
  action: Exclude<UserAction, 'activate'>;
  user: User;
}

/** The chosen action for a user: activation runs at once, every other action opens a dialog. */
export function useUserActions({ onDeleted }: Pick<Props, 'onDeleted'> = {}) {
  const [asked, setAsked] = useState<Asked>();
  const change = useChangeUser();
  return {
    ask: (action: UserAction, user: User) => {
      if (action === 'activate') void change.activate(user);
      else setAsked({ action, user });
    },
    dialog: asked && <ActionDialog {...asked} onClose={() => setAsked(undefined)} onDeleted={onDeleted} />,
  };
}

interface Props {
  user: User;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}

function ActionDialog({ action, ...props }: Props & { action: Asked['action'] }) {
  switch (action) {
    case 'reset-password':
      return <PasswordDialog {...props} />;
    case 'deactivate':
      return <DeactivateDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
    default:
      return <RoleDialog isAdmin={action === 'promote'} {...props} />;
  }
}

function DeactivateDialog({ user, onClose }: Props) {
  const change = useChangeUser();
  return (
    <ConfirmDialog
      title={`Désactiver ${userName(user)}\u00a0?`}
      confirm="Désactiver"
      onConfirm={async () => {
        if (await change.deactivate(user)) onClose();
      }}
      onClose={onClose}
    >
      <p>Cette personne sera déconnectée de tous ses appareils.</p>
      <p>Elle ne pourra plus se connecter tant que son compte n'aura pas été réactivé. Ses tickets restent.</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ user, onClose, onDeleted }: Props) {
  const change = useChangeUser();
  const { data } = useEndpoint(readUser, { params: { id: String(user.id) } }, { freshForMs: 0 });
  return (
    <ConfirmDialog
      title={`Supprimer ${userName(user)}\u00a0?`}
      confirm="Supprimer définitivement"
      onConfirm={async () => {
        if (!(await change.remove(user))) return;
        onClose();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <p>
        <span>Le compte </span>
        {user.phone && <span className="whitespace-nowrap">{`${formatPhone(user.phone)} `}</span>}
        <span>sera supprimé définitivement. </span>
        <strong className="whitespace-nowrap">C'est irréversible.</strong>
      </p>
      <p>{ticketSentence(data?.tickets)}</p>
    </ConfirmDialog>
  );
}

function ticketSentence(tickets: number | undefined): string {
  if (tickets === 0) return "Cette personne n'a aucun ticket.";
  if (tickets === 1) return "Son ticket reste, au nom d'«\u00a0Utilisateur inconnu\u00a0».";
  return `Ses ${tickets === undefined ? '' : `${formatCount(tickets)} `}tickets restent, au nom d'«\u00a0Utilisateur inconnu\u00a0».`;
}

function RoleDialog({ user, isAdmin, onClose }: Props & { isAdmin: boolean }) {
  const change = useChangeUser();
  return (
    <ConfirmDialog
      title={isAdmin ? `Nommer ${userName(user)} administrateur\u00a0?` : `Retirer le rôle de ${userName(user)}\u00a0?`}
      confirm={isAdmin ? 'Nommer administrateur' : 'Retirer le rôle'}
      onConfirm={async () => {
        if (await change.setAdministrator(user, isAdmin)) onClose();
      }}
      onClose={onClose}
    >
      {isAdmin ? (
        <p>
          Cette personne pourra tout faire dans ce panneau&nbsp;: approuver et rejeter les tickets, modifier le
          catalogue, les utilisateurs, les types de paiement, les pages et les paramètres.
        </p>
      ) : (
        <p>Cette personne n'aura plus accès à ce panneau. Son compte reste ouvert, comme celui de tout utilisateur.</p>
      )}
      <p>Ses sessions prendront fin&nbsp;: elle devra se reconnecter.</p>
    </ConfirmDialog>
  );
}

const passwordForm = z.object({ password });

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { user: caller } = useAuth();
  const toast = useToast();
  const change = useChangeUser();
  const isOwn = user.id === caller?.id;
  const { form, errors, busy } = useForm({
    read: (values) => {
      const read = readForm(passwordForm, values);
      if (read.errors)
        toast({ title: 'Mot de passe invalide', description: read.errors.password ?? '', destructive: true });
      return read;
    },
    send: async ({ password }) => {
      if (await change.resetPassword(user, password)) onClose();
    },
    failure: { fallback: 'Impossible de réinitialiser le mot de passe.' },
  });
  return (
    <Dialog title="Réinitialiser le mot de passe" onClose={onClose}>
      <form {...form} className="mt-3 flex flex-col gap-5">
        {isOwn ? (
          <p>
            Toutes vos sessions prendront fin, celle-ci aussi&nbsp;: vous vous reconnecterez avec le nouveau mot de
            passe.
          </p>
        ) : (
          <p>
            <span>Toutes les sessions de </span>
            <strong>{userName(user)}</strong>
            {user.phone && <span className="whitespace-nowrap">{` (${formatPhone(user.phone)})`}</span>}
            <span>{" prendront fin. Transmettez-lui le nouveau mot de passe\u00a0: il n'est envoyé nulle part."}</span>
          </p>
        )}
        <PasswordField
          label="Nouveau mot de passe"
          name="password"
          autoComplete="new-password"
          hint={`${minimumPasswordLength} caractères au moins.`}
          error={errors.password}
        />
        <DialogFoot busy={busy} onCancel={onClose}>
          Réinitialiser
        </DialogFoot>
      </form>
    </Dialog>
  );
}
