import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { resendOtp, verifyOtp } from '#contract/auth.ts';
import { useAuth } from '#web/api/session.tsx';
import { paths } from '#web/paths.ts';
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
  return (
    <CodeScreen
      title="Vérification par SMS"
      phone={phone}
      onBack={() => navigate(paths.auth)}
      verify={async (code) => {
        const { user } = await call(verifyOtp, { body: { phone, code } });
        dropPending('verification');
        toast({ title: 'Vérification réussie', description: `Bienvenue ${user.firstName}!` });
        enter(user);
      }}
      resend={async () => (await call(resendOtp, { body: { phone } })).retryAfter}
    />
  );
}
