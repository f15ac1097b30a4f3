import type { FormEvent } from 'react';
import { forgotPassword, forgotPasswordForm } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { formValues, readForm } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { keepFormKey, useKept } from '#web/forms/use-kept.tsx';
import { goBack, navigate } from '#web/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { keepForCode } from './kept-for-code.ts';

export function ForgotPasswordPage() {
  const call = useCall();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { form, errors, setErrors } = useFormErrors();
  const { typed, onInput } = useKept('forgot-password');
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readForm(forgotPasswordForm, formValues(sent));
    setErrors(read.errors ?? {});
    if (!read.data) return;
    try {
      const { phone } = await call(forgotPassword, { body: read.data, idempotencyKey: keepFormKey('forgot-password') });
      keepForCode('resetPhone', phone);
      toast({ title: 'Code envoyé', description: 'Un code de réinitialisation vous a été envoyé par SMS.' });
      navigate(addresses.forgotPasswordOtp, { step: true });
    } catch (error) {
      toastFailure(error, { fallback: 'Utilisateur non trouvé ou numéro invalide.' });
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };

  return (
    <Column narrow>
      <PageTitle onBack={() => goBack(addresses.auth)}>Mot de passe oublié</PageTitle>
      <form ref={form} onSubmit={onSubmit} onInput={onInput} noValidate className="flex flex-col gap-4 pt-1">
        <p>Un code vous sera envoyé par SMS pour choisir un nouveau mot de passe.</p>
        <Field
          label="Numéro de téléphone"
          name="phoneOrEmail"
          type="tel"
          autoComplete="username"
          enterKeyHint="send"
          defaultValue={typed.phoneOrEmail}
          placeholder="70 12 34 56"
          error={errors.phoneOrEmail}
        />
        <Button type="submit" busy={submit.busy}>
          {submit.busy ? 'Envoi...' : 'Envoyer le code'}
        </Button>
      </form>
    </Column>
  );
}
