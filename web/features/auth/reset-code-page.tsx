import { useState } from 'react';
import { resendResetOtp, verifyResetOtp } from '#contract/auth.ts';
import { formatPhone } from '#contract/phone.ts';
import { addresses } from '#web/addresses.ts';
import { makeKey } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { keepTyped, readTyped } from '#web/forms/use-kept.tsx';
import { goBack, navigate, Redirect } from '#web/router.tsx';
import { keepResetToken } from '#web/session/reset-token.ts';
import { useToast } from '#web/ui/toast.tsx';
import { CodeScreen } from './code-screen.tsx';
import { readKept } from './kept-for-code.ts';

export function ResetCodePage() {
  const call = useCall();
  const toast = useToast();
  const [phone] = useState(() => readKept('resetPhone'));
  /** A retry after a lost answer is the same exchange. */
  const [idempotencyKey] = useState(makeKey);
  if (!phone) return <Redirect to={addresses.forgotPassword} />;
  const onBack = () => {
    // Opened in another tab than the request's.
    if (!readTyped('forgot-password').phoneOrEmail) keepTyped('forgot-password', { phoneOrEmail: formatPhone(phone) });
    goBack(addresses.forgotPassword);
  };
  return (
    <CodeScreen
      title="Vérification par SMS"
      phone={phone}
      purpose="reset"
      onBack={onBack}
      verify={async (code) => {
        const { token } = await call(verifyResetOtp, { body: { phone, code }, idempotencyKey });
        keepResetToken(token);
        toast({ title: 'Code vérifié', description: 'Choisissez votre nouveau mot de passe.' });
        // The code is spent: its screen leaves the history.
        navigate(addresses.resetPassword, { replace: true });
      }}
      resend={async () => (await call(resendResetOtp, { body: { phone } })).retryAfter}
    />
  );
}
