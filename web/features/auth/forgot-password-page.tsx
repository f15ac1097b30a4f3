import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { forgotPassword, forgotPasswordForm } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { formValues, readForm } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { keepForCode } from './kept-for-code.ts';

export function ForgotPasswordPage() {
  const call = useCall();
  const [, navigate] = useLocation();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { form, errors, setErrors } = useFormErrors();
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readForm(forgotPasswordForm, formValues(sent));
    setErrors(read.errors ?? {});
    if (!read.data) return;
    try {
      const { phone } = await call(forgotPassword, { body: read.data });
      keepForCode('resetPhone', phone);
      toast({ title: 'Code envoyé', description: 'Un code de réinitialisation vous a été envoyé par SMS.' });
      navigate(addresses.forgotPasswordOtp);
    } catch (error) {
      toastFailure(error, { fallback: 'Utilisateur non trouvé ou numéro invalide.' });
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };

  return (
    <main className="mx-auto w-full max-w-md px-4 py-6">
      <PageTitle onBack={() => navigate(addresses.auth)}>Mot de passe oublié</PageTitle>
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
          <Button type="submit" busy={submit.busy}>
            {submit.busy ? 'Envoi...' : 'Envoyer le code'}
          </Button>
        </form>
      </Card>
    </main>
  );
}
