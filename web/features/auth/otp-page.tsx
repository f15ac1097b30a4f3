import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { resendOtp, verifyOtp } from '#contract/auth.ts';
import { useAuth } from '#web/api/session.tsx';
import { paths } from '#web/paths.ts';
import { failureSentence, hasCode } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';
import { CodeScreen } from './code-screen.tsx';
import { dropPending, readPending } from './pending.ts';
import { useEnter } from './use-enter.ts';

export function OtpPage() {
  const { call } = useAuth();
  const [, navigate] = useLocation();
  const enter = useEnter();
  const toast = useToast();
  const [phone] = useState(() => readPending('verification'));
  if (!phone) return <Redirect to={paths.auth} />;
  /** The answer to the right code was lost on the way: the account is there, and only wants a sign-in. */
  const orSignIn = (error: unknown) => {
    if (!hasCode(error, 'ALREADY_VERIFIED')) throw error;
    dropPending('verification');
    toast({ title: 'Vérification réussie', description: failureSentence(error, 'Connectez-vous.') });
    navigate(paths.auth);
  };
  return (
    <CodeScreen
      title="Vérification par SMS"
      phone={phone}
      onBack={() => navigate(paths.auth)}
      verify={async (code) => {
        const answer = await call(verifyOtp, { body: { phone, code } }).catch(orSignIn);
        if (!answer) return;
        dropPending('verification');
        toast({ title: 'Vérification réussie', description: `Bienvenue ${answer.user.firstName}!` });
        enter(answer.user);
      }}
      resend={async () => (await call(resendOtp, { body: { phone } }).catch(orSignIn))?.retryAfter}
    />
  );
}
