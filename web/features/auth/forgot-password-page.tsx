import { forgotPassword, forgotPasswordForm } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
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
  const { typed, onInput } = useKept('forgot-password');
  const { form, errors, busy } = useForm({
    read: (values) => readForm(forgotPasswordForm, values),
    send: async (body) => {
      const { phone } = await call(forgotPassword, { body, idempotencyKey: keepFormKey('forgot-password') });
      keepForCode('resetPhone', phone);
      toast({ title: 'Code envoyé', description: 'Un code de réinitialisation vous a été envoyé par SMS.' });
      navigate(addresses.forgotPasswordOtp, { step: true });
    },
    failure: { fallback: 'Utilisateur non trouvé ou numéro invalide.' },
  });

  return (
    <Column narrow>
      <PageTitle onBack={() => goBack(addresses.auth)}>Mot de passe oublié</PageTitle>
      <form {...form} onInput={onInput} className="flex flex-col gap-4 pt-1">
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
        <Button type="submit" busy={busy}>
          {busy ? 'Envoi...' : 'Envoyer le code'}
        </Button>
      </form>
    </Column>
  );
}
