import { formatPhone } from '#contract/phone.ts';
import { accountStatus, type User } from '#contract/users.ts';
import { useAuth } from '#web/session/auth.tsx';
import { useSignOut } from '#web/session/use-sign-out.ts';
import { ChangePasswordForm } from '#web/shell/change-password-form.tsx';
import { CreateAccount, WhyAnAccount } from '#web/shell/create-account.tsx';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { LookFields } from '#web/shell/look-fields.tsx';
import { ProfileForm } from '#web/shell/profile-form.tsx';
import { PushCard } from '#web/shell/push-card.tsx';
import { useInstall } from '#web/shell/use-install.ts';
import { HelpIcon, InfoIcon, InstallIcon, LeaveIcon, PersonIcon, ShieldIcon, SunIcon } from '#web/ui/action-icons.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, cardClass } from '#web/ui/card.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { PeopleIcon } from '#web/ui/panel-icons.tsx';
import { Beneficiaries } from './beneficiaries.tsx';
import { Entry, EntryButton, EntryRow } from './entry.tsx';
import { Help } from './help.tsx';

export default function SettingsPage() {
  const { user } = useAuth();
  const leave = useSignOut();
  if (!user) return null;
  return (
    <Column>
      <PageTitle>Paramètres</PageTitle>
      <div className="flex flex-col gap-4">
        <ProfileCard user={user} />
        {user.isGuest && (
          <Card className="flex flex-col gap-2.5">
            <p className="font-semibold">Vous naviguez en mode invité</p>
            <WhyAnAccount className="mb-1.5 text-sm" />
            <div className="flex flex-col gap-2.5 sm:flex-row">
              <CreateAccount />
              <Button variant="outline" busy={leave.busy} onClick={() => leave.run()}>
                Quitter le mode invité
              </Button>
            </div>
          </Card>
        )}
        <Entries user={user} />
        {!user.isGuest && (
          <Button variant="danger" busy={leave.busy} onClick={() => leave.run()}>
            <LeaveIcon className="size-5" /> Se déconnecter
          </Button>
        )}
        <LegalLinks />
      </div>
    </Column>
  );
}

function ProfileCard({ user }: { user: User }) {
  const name = user.isGuest ? 'Invité' : `${user.firstName} ${user.lastName}`;
  const status = accountStatus(user);
  return (
    <Card className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span
        className="flex size-12 max-h-[15vw] max-w-[15vw] shrink-0 items-center justify-center rounded-full bg-leaf font-bold text-lg text-on-leaf"
        aria-hidden="true"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <h2 className="break-words font-bold leading-snug">{name}</h2>
        {user.phone && <p className="text-soft text-sm tabular-nums">{formatPhone(user.phone)}</p>}
        {user.email && <p className="break-all text-soft text-sm">{user.email}</p>}
      </div>
      <Badge small tone={status === 'Vérifié' || status === 'Admin' ? 'green' : 'amber'}>
        {status}
      </Badge>
    </Card>
  );
}

function Entries({ user }: { user: User }) {
  const install = useInstall();
  return (
    <ul className={join(cardClass, 'divide-y divide-line overflow-hidden')}>
      {!user.isGuest && (
        <>
          <Entry name="Profil" about="Prénom, nom et e-mail" Icon={PersonIcon}>
            {(close) => <ProfileForm user={user} onDone={close} onCancel={close} />}
          </Entry>
          <Entry name="Bénéficiaires" about="Les noms de vos numéros" Icon={PeopleIcon}>
            {(close) => (
              <>
                <Beneficiaries />
                <Close onClose={close} />
              </>
            )}
          </Entry>
          <Entry name="Sécurité" about="Mot de passe" Icon={ShieldIcon} title="Changer mon mot de passe">
            {(close) => <ChangePasswordForm user={user} onDone={close} onCancel={close} />}
          </Entry>
          <Entry name="Notifications" about="Être prévenu des réponses" Icon={BellIcon}>
            {(close) => <Notifications user={user} onClose={close} />}
          </Entry>
        </>
      )}
      <Entry name="Affichage" about="Thème et taille du texte" Icon={SunIcon}>
        {(close) => (
          <>
            <LookFields />
            <Close onClose={close} />
          </>
        )}
      </Entry>
      <Entry name="Centre d'aide" about="Questions fréquentes" Icon={HelpIcon}>
        {(close) => (
          <>
            <Help />
            <Close onClose={close} />
          </>
        )}
      </Entry>
      {install && (
        <li>
          <EntryButton
            name="Installer l'application"
            about="Sur l'écran d'accueil"
            Icon={InstallIcon}
            onClick={install}
          />
        </li>
      )}
      {!user.isGuest && (
        <li>
          <EntryRow name="À propos" about="Plateforme Guichet, version 1.0.0" Icon={InfoIcon} />
        </li>
      )}
    </ul>
  );
}

function Notifications({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <>
      <p>Quand une demande est approuvée ou rejetée, la réponse est dans l'onglet « Notifications ».</p>
      <PushCard userId={user.id} always />
      <Close onClose={onClose} />
    </>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  return (
    <DialogButtons>
      <Button variant="quiet" tight className="flex-1 sm:-mr-3" onClick={onClose}>
        Fermer
      </Button>
    </DialogButtons>
  );
}
