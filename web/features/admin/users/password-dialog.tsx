import * as z from 'zod/mini';
import { minimumPasswordLength, password } from '#contract/passwords.ts';
import type { User } from '#contract/users.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useChangeUser } from './use-change-user.ts';
import { userName } from './user-facts.tsx';

const passwordForm = z.object({ password });

/** Sets a new password for a user, or for oneself. */
export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
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
            Toutes les sessions de <strong>{userName(user)}</strong> prendront fin. Transmettez-lui le nouveau mot de
            passe&nbsp;: il n’est envoyé nulle part.
          </p>
        )}
        <PasswordField
          label="Nouveau mot de passe"
          name="password"
          autoComplete="new-password"
          hint={`${minimumPasswordLength} caractères au moins.`}
          error={errors.password}
        />
        <div className="flex flex-wrap gap-2.5">
          <Button variant="plain" className="flex-1" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" className="flex-1" busy={busy}>
            Réinitialiser
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
