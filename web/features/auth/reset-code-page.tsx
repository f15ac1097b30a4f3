import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { resendResetOtp, verifyResetOtp } from '#contract/auth.ts';
import { useAuth } from '#web/api/session.tsx';
import { paths } from '#web/paths.ts';
import { useToast } from '#web/ui/toast.tsx';
import { CodeScreen } from './code-screen.tsx';
import { keepPending, readPending } from './pending.ts';

export function ResetCodePage() {
  const { call } = useAuth();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [phone] = useState(() => readPending('resetPhone'));
  if (!phone) return <Redirect to={paths.forgotPassword} />;
  return (
    <CodeScreen
      title="Vérification par SMS"
      phone={phone}
      onBack={() => navigate(paths.forgotPassword)}
      verify={async (code) => {
        const { token } = await call(verifyResetOtp, { body: { phone, code } });
        keepPending('resetToken', token);
        toast({ title: 'Code vérifié', description: 'Choisissez votre nouveau mot de passe.' });
        navigate(paths.resetPassword);
      }}
      resend={async () => (await call(resendResetOtp, { body: { phone } })).retryAfter}
    />
  );
}
