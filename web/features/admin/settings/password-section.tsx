import { useState } from 'react';
import { useAuth } from '#web/session/auth.tsx';
import { ChangePasswordForm } from '#web/shell/change-password-form.tsx';
import { Card } from '#web/ui/card.tsx';

export function PasswordSection() {
  const { user } = useAuth();
  const [round, setRound] = useState(0);
  if (!user) return null;
  return (
    <Card className="flex flex-col gap-5">
      <div>
        <h2 className="font-bold text-lg">Mon mot de passe</h2>
        <p className="text-soft">Vos autres appareils seront déconnectés ; celui-ci reste connecté.</p>
      </div>
      <div className="sm:max-w-md">
        <ChangePasswordForm key={round} user={user} onDone={() => setRound(round + 1)} />
      </div>
    </Card>
  );
}
