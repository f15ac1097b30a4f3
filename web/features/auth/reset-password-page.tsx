import { useEffect, useRef, useState } from 'react';
import { resetPassword, resetPasswordForm } from '#contract/auth.ts';
import { formatPhone } from '#contract/phone.ts';
import { addresses } from '#web/addresses.ts';
import { hasCode, NoAnswer } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { keepTyped, useForgetTyped } from '#web/forms/use-kept.tsx';
import { goBack, leaveSteps, Redirect } from '#web/router.tsx';
import { dropResetToken, readResetToken, resetTokenLeftMs } from '#web/session/reset-token.ts';
import { Button } from '#web/ui/button.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { dropKept, readKept } from './kept-for-code.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

export function ResetPasswordPage() {
  const call = useCall();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const forgetTyped = useForgetTyped();
  const [token] = useState(readResetToken);
  const kept = readKept('resetPhone');
  const phone = kept && formatPhone(kept);
  useEffect(() => {
    const timer = setTimeout(dropResetToken, resetTokenLeftMs());
    return () => clearTimeout(timer);
  }, []);
  /** Whether an earlier try may have reached the server: then a spent token means success. */
  const unanswered = useRef(false);
  /** Treats a spent token after such a try as success. */
  const orDone = (error: unknown) => {
    if (!unanswered.current || !hasCode(error, 'TOKEN_INVALID')) throw error;
    return {
      title: 'Mot de passe sans doute changé',
      description: 'Connectez-vous avec le nouveau mot de passe ; s’il est refusé, recommencez.',
    };
  };
  const { form, errors, busy } = useForm({
    read: (values) => readForm(resetPasswordForm, { ...values, token }),
    send: async (body) => {
      const done = await call(resetPassword, { body }).then(() => undefined, orDone);
      forgetTyped('auth', 'sign-in', 'forgot-password');
      if (phone) keepTyped('sign-in', { phoneOrEmail: phone });
      dropKept('resetPhone');
      toast(done ?? { title: 'Mot de passe réinitialisé', description: 'Vous pouvez maintenant vous connecter.' });
      leaveSteps(addresses.auth);
    },
    failure: (error) => {
      unanswered.current = error instanceof NoAnswer;
      toastFailure(error, { fallback: 'Impossible de réinitialiser le mot de passe.' });
      return {};
    },
  });
  if (!token) return <Redirect to={addresses.forgotPassword} />;

  return (
    <Column narrow>
      <PageTitle onBack={() => goBack(addresses.forgotPassword)}>Nouveau mot de passe</PageTitle>
      <form {...form} className="flex flex-col gap-4 pt-1">
        {/* Password managers store the new password under it. */}
        <input type="text" autoComplete="username" value={phone ?? ''} readOnly hidden />
        <NewPasswordFields name="newPassword" label="Nouveau mot de passe" errors={errors} />
        <Button type="submit" busy={busy}>
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      </form>
    </Column>
  );
}
