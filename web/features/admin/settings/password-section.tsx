import { useState } from 'react';
import { useAuth } from '#web/session/auth.tsx';
import { ChangePasswordForm } from '#web/shell/change-password-form.tsx';
import { SectionCard } from './section-card.tsx';

export function PasswordSection() {
  const { user } = useAuth();
  const [round, setRound] = useState(0);
  if (!user) return null;
  return (
    <SectionCard
      title="Mon mot de passe"
      about="Vos autres appareils seront déconnectés ; celui-ci reste connecté."
      unsaved={false}
    >
      <div className="sm:max-w-md">
        <ChangePasswordForm key={round} user={user} onDone={() => setRound(round + 1)} />
      </div>
    </SectionCard>
  );
}
