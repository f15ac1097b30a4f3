import { type FormEvent, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { resetPassword, resetPasswordForm } from '#contract/auth.ts';
import { useAuth } from '#web/api/session.tsx';
import { useAction } from '#web/api/use-action.ts';
import { paths } from '#web/paths.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formValues, readForm } from '#web/text/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFormErrors } from '#web/ui/use-form-errors.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { dropPending, readPending } from './pending.ts';

export function ResetPasswordPage() {
  const { call } = useAuth();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [token] = useState(() => readPending('resetToken'));
  const { form, errors, setErrors } = useFormErrors();
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readForm(resetPasswordForm, { ...formValues(sent), token });
    setErrors(read.errors ?? {});
    if (!read.data) return;
    try {
      await call(resetPassword, { body: read.data });
      dropPending('resetPhone', 'resetToken');
      toast({ title: 'Mot de passe réinitialisé', description: 'Vous pouvez maintenant vous connecter.' });
      navigate(paths.auth);
    } catch (error) {
      toast({
        ...{ title: 'Erreur', destructive: true },
        description: failureSentence(error, 'Impossible de réinitialiser le mot de passe.'),
      });
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };
  if (!token) return <Redirect to={paths.forgotPassword} />;

  return (
    <main className="mx-auto w-full max-w-md px-4 py-6">
      <PageTitle onBack={() => navigate(paths.forgotPassword)}>Nouveau mot de passe</PageTitle>
      <Card>
        <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
          <NewPasswordFields name="newPassword" label="Nouveau mot de passe" errors={errors} />
          <Button type="submit" pending={submit.pending}>
            {submit.pending ? 'Enregistrement...' : 'Enregistrer'}
          </Button>
        </form>
      </Card>
    </main>
  );
}
