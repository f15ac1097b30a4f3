import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { forgotPassword, forgotPasswordForm } from '#contract/auth.ts';
import { useAuth } from '#web/api/session.tsx';
import { useAction } from '#web/api/use-action.ts';
import { paths } from '#web/paths.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formValues, readForm } from '#web/text/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFormErrors } from '#web/ui/use-form-errors.ts';
import { keepPending } from './pending.ts';

export function ForgotPasswordPage() {
  const { call } = useAuth();
  const [, navigate] = useLocation();
  const toast = useToast();
  const { form, errors, setErrors } = useFormErrors();
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readForm(forgotPasswordForm, formValues(sent));
    setErrors(read.errors ?? {});
    if (!read.data) return;
    try {
      const { phone } = await call(forgotPassword, { body: read.data });
      keepPending('resetPhone', phone);
      toast({ title: 'Code envoyé', description: 'Un code de réinitialisation vous a été envoyé par SMS.' });
      navigate(paths.forgotPasswordOtp);
    } catch (error) {
      toast({
        ...{ title: 'Erreur', destructive: true },
        description: failureSentence(error, 'Utilisateur non trouvé ou numéro invalide.'),
      });
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };

  return (
    <main className="mx-auto w-full max-w-md px-4 py-6">
      <PageTitle onBack={() => navigate(paths.auth)}>Mot de passe oublié</PageTitle>
      <Card>
        <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
          <p>Un code vous sera envoyé par SMS pour choisir un nouveau mot de passe.</p>
          <Field
            label="Numéro de téléphone"
            name="phoneOrEmail"
            type="tel"
            autoComplete="tel"
            placeholder="70 12 34 56"
            error={errors.phoneOrEmail}
          />
          <Button type="submit" pending={submit.pending}>
            {submit.pending ? 'Envoi...' : 'Envoyer le code'}
          </Button>
        </form>
      </Card>
    </main>
  );
}
