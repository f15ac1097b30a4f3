import { type ComponentProps, useState } from 'react';
import * as z from 'zod/mini';
import {
  activateUser,
  deactivateUser,
  deleteUser,
  listUsers,
  readUser,
  resetUserPassword,
} from '#contract/accounts.ts';
import { ofName } from '#contract/of-name.ts';
import { minimumPasswordLength, password } from '#contract/passwords.ts';
import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useRemoveRow, useReplaceRows } from '#web/api/use-list.ts';
import { ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { userName } from './user-facts.tsx';

export type UserAction = 'reset-password' | 'activate' | 'deactivate' | 'delete';

export const actionLabels: Record<UserAction, string> = {
  'reset-password': 'Réinitialiser le mot de passe',
  activate: 'Activer',
  deactivate: 'Désactiver',
  delete: 'Supprimer définitivement',
};

/** The actions offered for an account: none that the server would refuse to this administrator. */
export function actionsFor(
  user: Pick<User, 'id' | 'isAdmin' | 'isGuest' | 'isVerified'>,
  callerId: number | undefined,
): UserAction[] {
  const { isAdmin, isGuest, isVerified } = user;
  if (isAdmin || user.id === callerId) return [];
  if (isGuest) return ['delete'];
  return isVerified ? ['reset-password', 'deactivate', 'delete'] : ['reset-password', 'activate', 'delete'];
}

interface Asked {
  action: Exclude<UserAction, 'activate'>;
  user: User;
}

/** Who is deleted is not read again. */
const readsOf = (action: UserAction) => (action === 'delete' ? [listUsers] : [listUsers, readUser]);

/**
 * The chosen action for a user: activation runs at once, every other action opens a dialog. It stays open after a failure, over
 * the account as it is now.
 */
export function useUserActions({ onDeleted }: { onDeleted?: () => void } = {}) {
  const [asked, setAsked] = useState<Asked>();
  const change = useChangeUser();
  const activation = useAction((user: User) => change('activate', user), {
    failure: { fallback: outcomes.activate.failure },
    reads: readsOf('activate'),
    keyOf: ({ id }) => id,
  });
  const onClose = () => setAsked(undefined);
  const params = { id: String(asked?.user.id) };
  const read = useEndpoint(readUser, { params }, { enabled: asked !== undefined, freshForMs: 0 });
  const current = asked && { ...asked, user: read.data ?? asked.user };
  return {
    ask: (action: UserAction, user: User) => {
      if (action === 'activate') void activation.run(user);
      else setAsked({ action, user });
    },
    dialog:
      current &&
      (current.action === 'reset-password' ? (
        <PasswordDialog user={current.user} onClose={onClose} />
      ) : (
        <ActionDialog
          asked={current}
          onConfirm={async () => {
            const done = await change(current.action, current.user);
            if (current.action === 'delete') onDeleted?.();
            return done;
          }}
          failure={{ fallback: outcomes[current.action].failure }}
          reads={readsOf(current.action)}
          onClose={onClose}
        />
      )),
  };
}

function ActionDialog({
  asked: { action, user },
  ...dialog
}: { asked: Asked } & Omit<ComponentProps<typeof ConfirmDialog>, 'title' | 'children'>) {
  const name = userName(user);
  if (action === 'deactivate')
    return (
      <ConfirmDialog title={`Désactiver ${name}\u00a0?`} confirm="Désactiver" {...dialog}>
        <p>Cette personne sera déconnectée de tous ses appareils.</p>
        <p>Elle ne pourra plus se connecter tant que son compte n'aura pas été réactivé. Ses tickets restent.</p>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog title={`Supprimer ${name}\u00a0?`} confirm="Supprimer définitivement" {...dialog}>
      <p>
        <span>Le compte </span>
        {user.phone && <span className="whitespace-nowrap">{`${formatPhone(user.phone)} `}</span>}
        <span>sera supprimé définitivement. </span>
        <strong className="whitespace-nowrap">C'est irréversible.</strong>
      </p>
      <p>{"Ses tickets restent, au nom d'«\u00a0Utilisateur inconnu\u00a0»."}</p>
    </ConfirmDialog>
  );
}

const passwordForm = z.object({ password });

/** Signs that nobody takes for one another when they are read aloud. */
const clearSigns = 'abcdefghjkmnpqrstuvwxyz23456789';
const makePassword = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => clearSigns[byte % clearSigns.length]).join('');

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const toast = useToast();
  const change = useChangeUser();
  const [typed, setTyped] = useState('');
  const [proposed, setProposed] = useState<string>();
  const { form, errors, busy } = useForm({
    read: (values) => {
      const read = readForm(passwordForm, values);
      if (read.errors)
        toast({ title: 'Mot de passe invalide', description: read.errors.password ?? '', destructive: true });
      return read;
    },
    send: async ({ password }) => {
      const done = await change('reset-password', user, password);
      onClose();
      return done;
    },
    failure: { fallback: outcomes['reset-password'].failure },
    reads: readsOf('reset-password'),
  });
  return (
    <Dialog title="Réinitialiser le mot de passe" onClose={onClose}>
      <form {...form} className="mt-3 flex flex-col gap-5">
        <p>
          <span>Toutes les sessions </span>
          <strong>{ofName(userName(user))}</strong>
          {user.phone && <span className="whitespace-nowrap">{` (${formatPhone(user.phone)})`}</span>}
          <span>{" prendront fin. Transmettez-lui le nouveau mot de passe\u00a0: il n'est envoyé nulle part."}</span>
        </p>
        <PasswordField
          label="Nouveau mot de passe"
          name="password"
          autoComplete="new-password"
          hint={`${minimumPasswordLength} caractères au moins.`}
          error={errors.password}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <p className="flex min-h-12 flex-wrap items-center gap-x-3">
          <Button
            variant="quiet"
            tight
            className="-ml-3"
            onClick={() => {
              const made = makePassword();
              setProposed(made);
              setTyped(made);
            }}
          >
            Proposer un mot de passe
          </Button>
          {proposed && proposed === typed && (
            <span role="status">
              <strong className="font-mono">{proposed}</strong> <CopyBeside text={proposed} of="le mot de passe" />
            </span>
          )}
        </p>
        <DialogFoot busy={busy} onCancel={onClose}>
          Réinitialiser
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const outcomes: Record<UserAction, { title: string; told: (name: string) => string; failure: string }> = {
  'reset-password': {
    title: 'Mot de passe réinitialisé',
    told: (name) => `${name} se connectera avec le nouveau mot de passe.`,
    failure: 'Impossible de réinitialiser le mot de passe.',
  },
  activate: {
    title: 'Utilisateur réactivé',
    told: (name) => `${name} peut de nouveau se connecter.`,
    failure: "Impossible de réactiver l'utilisateur.",
  },
  deactivate: {
    title: 'Utilisateur désactivé',
    told: (name) => `Le compte ${ofName(name)} est temporairement désactivé.`,
    failure: "Impossible de désactiver l'utilisateur.",
  },
  delete: {
    title: 'Utilisateur supprimé',
    told: (name) => `Le compte ${ofName(name)} est définitivement supprimé. C'est irréversible.`,
    failure: "Impossible de supprimer l'utilisateur.",
  },
};

/** Changes an account as the administrator saw it. */
function useChangeUser() {
  const call = useCall();
  const replace = useReplaceRows(listUsers);
  const removeRow = useRemoveRow(listUsers);
  return async (action: UserAction, user: User, password = '') => {
    const { title, told } = outcomes[action];
    const params = { id: String(user.id) };
    const seen = { expectedUpdatedAt: user.updatedAt };
    if (action === 'delete') removeRow((await call(deleteUser, { params })).id);
    else if (action === 'deactivate') replace([await call(deactivateUser, { params })]);
    else if (action === 'activate') replace([await call(activateUser, { params, body: seen })]);
    else replace([await call(resetUserPassword, { params, body: { password, ...seen } })]);
    return { title, description: told(userName(user)) };
  };
}
