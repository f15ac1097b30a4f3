import type { FormEvent } from 'react';
import * as z from 'zod/mini';
import { minimumPasswordLength, password } from '#contract/passwords.ts';
import type { User } from '#contract/users.ts';
import { formValues, readForm } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
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
  const { form, errors, setErrors } = useFormErrors();
  const toast = useToast();
  const change = useChangeUser();
  const isOwn = user.id === caller?.id;
  const save = useAction(async (chosen: string) => {
    if (await change.resetPassword(user, chosen)) onClose();
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readForm(passwordForm, formValues(event.currentTarget));
    setErrors(read.errors ?? {});
    if (read.data) return void save.run(read.data.password);
    toast({ title: 'Mot de passe invalide', description: read.errors.password ?? '', destructive: true });
  };
  return (
    <Dialog title="Réinitialiser le mot de passe" onClose={onClose}>
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-3 flex flex-col gap-5">
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
          <Button type="submit" className="flex-1" busy={save.busy}>
            Réinitialiser
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
