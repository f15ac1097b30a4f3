import { Activity, type ComponentType, useState } from 'react';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { ChangePasswordForm } from '#web/shell/change-password-form.tsx';
import { join } from '#web/ui/join.ts';
import { AuditSection } from './audit-section.tsx';
import { BackgroundSection } from './background-section.tsx';
import { BackupsSection } from './backups-section.tsx';
import { ReasonsSection } from './reasons-section.tsx';
import { SectionCard } from './saved-section.tsx';
import { SmsSection } from './sms-section.tsx';

const sections: { name: string; label: string; Section: ComponentType }[] = [
  { name: 'fond', label: 'Fond de page', Section: BackgroundSection },
  { name: 'motifs', label: 'Motifs de rejet', Section: ReasonsSection },
  { name: 'sms', label: 'SMS', Section: SmsSection },
  { name: 'sauvegardes', label: 'Sauvegardes', Section: BackupsSection },
  { name: 'journal', label: 'Journal d’audit', Section: AuditSection },
  { name: 'mot-de-passe', label: 'Mon mot de passe', Section: PasswordSection },
];

/** Product-wide settings, one section at a time; another section keeps its state, unsaved changes included. */
export default function SettingsTab() {
  const { values } = useTabSearch();
  const asked = values.get('section');
  const current = sections.find(({ name }) => name === asked)?.name ?? 'fond';
  const addressOf = (section: string) => {
    const search = new URLSearchParams(values);
    search.set('section', section);
    return adminTabAddress('settings', search.toString());
  };
  return (
    <>
      <TabTitle>Paramètres</TabTitle>
      <nav aria-label="Sections des paramètres" className="mb-4">
        <ul className="flex flex-wrap gap-2">
          {sections.map(({ name, label }) => (
            <li key={name}>
              <Link
                href={addressOf(name)}
                aria-current={name === current ? 'page' : undefined}
                className={join(
                  'flex min-h-11 items-center rounded-full border px-3 leading-tight sm:px-4',
                  name === current
                    ? 'border-leaf bg-leaf-pale font-semibold text-leaf-dark'
                    : 'border-edge bg-card text-ink hover:bg-ground',
                )}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map(({ name, Section }) => (
        <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
          <Section />
        </Activity>
      ))}
    </>
  );
}

function PasswordSection() {
  const { user } = useAuth();
  const [round, setRound] = useState(0);
  if (!user) return null;
  return (
    <SectionCard
      title="Mon mot de passe"
      about="Vos autres appareils seront déconnectés ; celui-ci reste connecté."
      className="gap-5"
    >
      <div className="sm:max-w-md">
        <ChangePasswordForm key={round} user={user} onDone={() => setRound(round + 1)} />
      </div>
    </SectionCard>
  );
}
