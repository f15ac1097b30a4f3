import { useState } from 'react';
import { resendOtp, verifyOtp } from '#contract/auth.ts';
import { countryOf, formatPhone, nationalDigits } from '#contract/phone.ts';
import { addresses } from '#web/addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { keepTyped, readTyped, useForgetTyped } from '#web/forms/use-kept.tsx';
import { goBack, leaveSteps, Redirect } from '#web/router.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';
import { CodeScreen } from './code-screen.tsx';
import { dropKept, readKept } from './kept-for-code.ts';
import { useEnter } from './use-enter.ts';

export function OtpPage() {
  const call = useCall();
  const enter = useEnter();
  const forgetTyped = useForgetTyped();
  const toast = useToast();
  const [phone] = useState(() => readKept('verificationPhone'));
  if (!phone) return <Redirect to={addresses.auth} />;
  /** The answer to the right code was lost: the account exists and needs a sign-in. */
  const orSignIn = (error: unknown) => {
    if (!hasCode(error, 'ALREADY_VERIFIED')) throw error;
    dropKept('verificationPhone');
    toast({ title: 'Vérification réussie', description: failureSentence(error, 'Connectez-vous.') });
    forgetTyped('auth', 'sign-in', 'sign-up');
    keepTyped('sign-in', { phoneOrEmail: formatPhone(phone) });
    leaveSteps(addresses.auth);
  };
  const onBack = () => {
    // Opened in another tab than the sign-up's.
    if (!readTyped('sign-up').phone && !readTyped('sign-in').phoneOrEmail) {
      keepTyped('auth', { tab: 'Inscription' });
      keepTyped('sign-up', { countryCode: countryOf(phone)?.code ?? '', phone: nationalDigits(phone) });
    }
    goBack(addresses.auth);
  };
  return (
    <CodeScreen
      title="Vérification par SMS"
      phone={phone}
      purpose="signup"
      onBack={onBack}
      verify={async (code) => {
        const answer = await call(verifyOtp, { body: { phone, code } }).catch(orSignIn);
        if (!answer) return;
        dropKept('verificationPhone');
        toast({ title: 'Vérification réussie', description: `Bienvenue ${answer.user.firstName}!` });
        enter(answer.user);
      }}
      resend={async () => (await call(resendOtp, { body: { phone } }).catch(orSignIn))?.retryAfter}
    />
  );
}
