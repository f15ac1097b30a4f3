import { Activity, type ComponentType, useState } from 'react';
import { ChangePasswordForm } from '#web/account/change-password-form.tsx';
import { ProfileForm } from '#web/account/profile-form.tsx';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { PillLinks } from '#web/features/admin/shared/pill-links.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { LookFields } from '#web/shell/look-fields.tsx';
import { join } from '#web/ui/join.ts';
import { AuditSection } from './audit-section.tsx';
import { BackgroundSection } from './background-section.tsx';
import { BackupsSection } from './backups-section.tsx';
import { ContactSection } from './contact-section.tsx';
import { ReasonsSection } from './reasons-section.tsx';
import { SectionCard } from './saved-section.tsx';
import { SmsSection } from './sms-section.tsx';

const sections: { name: string; label: string; Section: ComponentType }[] = [
  { name: 'fond', label: 'Fond de page', Section: BackgroundSection },
  { name: 'contact', label: 'Contact', Section: ContactSection },
  { name: 'motifs', label: 'Motifs de rejet', Section: ReasonsSection },
  { name: 'sms', label: 'SMS', Section: SmsSection },
  { name: 'sauvegardes', label: 'Sauvegardes', Section: BackupsSection },
  { name: 'journal', label: "Journal d'audit", Section: AuditSection },
  { name: 'compte', label: 'Mon compte', Section: AccountSection },
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
      <TabTitle
        nav={
          <PillLinks
            label="Sections des paramètres"
            lead
            pills={sections.map(({ name, label }) => ({
              href: addressOf(name),
              words: label,
              isCurrent: name === current,
            }))}
          />
        }
      >
        Paramètres
      </TabTitle>
      {sections.map(({ name, Section }) => (
        <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
          <Section />
        </Activity>
      ))}
    </>
  );
}

/** Forms side by side end alike, with their button at the right. */
const ownForm =
  '[&>form]:grow lg:[&>form>:last-child]:mt-auto lg:[&>form>:last-child]:justify-end lg:[&_[type=submit]]:grow-0 lg:[&_[type=submit]]:basis-auto';

/** What is the administrator's own: name, password, and the look of this browser. */
function AccountSection() {
  const { user } = useAuth();
  const [round, setRound] = useState(0);
  if (!user) return null;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <SectionCard
        title="Mon profil"
        about="Vos collègues lisent ce nom dans le journal d'audit."
        className={join('gap-5', ownForm)}
      >
        <ProfileForm user={user} />
      </SectionCard>
      <SectionCard
        title="Mon mot de passe"
        about="Vos autres appareils seront déconnectés."
        className={join('gap-5', ownForm)}
      >
        <ChangePasswordForm key={round} user={user} onDone={() => setRound(round + 1)} />
      </SectionCard>
      <SectionCard
        title="Affichage"
        about="Dans ce navigateur seulement&nbsp;; le choix s'applique tout de suite."
        className="gap-5 lg:col-span-2"
      >
        <div className="sm:max-w-2xl">
          <LookFields />
        </div>
      </SectionCard>
    </div>
  );
}
