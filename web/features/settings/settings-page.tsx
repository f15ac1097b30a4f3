import { useState } from 'react';
import { formatPhone } from '#contract/phone.ts';
import { accountStatus, type User } from '#contract/users.ts';
import { useAuth } from '#web/session/auth.tsx';
import { useSignOut } from '#web/session/use-sign-out.ts';
import { ChangePasswordForm } from '#web/shell/change-password-form.tsx';
import { CreateAccount, WhyAnAccount } from '#web/shell/create-account.tsx';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { PushCard } from '#web/shell/push-card.tsx';
import { useInstall } from '#web/shell/use-install.ts';
import { HelpIcon, InfoIcon, InstallIcon, KeyIcon, LeaveIcon, PersonIcon, ShieldIcon } from '#web/ui/action-icons.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, cardClass } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { BellIcon, ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';

const entries = [
  { name: 'Profil', Icon: PersonIcon },
  { name: 'Sécurité', Icon: ShieldIcon },
  { name: 'Notifications', Icon: BellIcon },
  { name: 'Centre d’aide', Icon: HelpIcon },
];

export default function SettingsPage() {
  const { user } = useAuth();
  const leave = useSignOut();
  if (!user) return null;
  return (
    <Column>
      <PageTitle>Paramètres</PageTitle>
      <div className="flex flex-col gap-4">
        <ProfileCard user={user} />
        {user.isGuest ? (
          <Card className="flex flex-col gap-2.5">
            <p className="font-semibold">Vous naviguez en mode invité</p>
            <WhyAnAccount className="mb-1.5 text-sm" />
            <CreateAccount />
            <Button variant="outline" busy={leave.busy} onClick={() => leave.run()}>
              Quitter le mode invité
            </Button>
          </Card>
        ) : (
          <>
            <Entries user={user} />
            <PushCard userId={user.id} />
            <Button variant="danger" busy={leave.busy} onClick={() => leave.run()}>
              <LeaveIcon className="size-5" /> Se déconnecter
            </Button>
          </>
        )}
        <InstallOffer />
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
        className="flex size-12 max-h-[15vw] max-w-[15vw] shrink-0 items-center justify-center rounded-full bg-leaf font-bold text-lg text-white"
        aria-hidden="true"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="min-w-0 break-words font-bold leading-snug">{name}</h2>
          <Badge small tone={status === 'Vérifié' || status === 'Admin' ? 'green' : 'amber'}>
            {status}
          </Badge>
        </div>
        {user.phone && <p className="text-soft text-sm tabular-nums">{formatPhone(user.phone)}</p>}
        {user.email && <p className="break-all text-soft text-sm">{user.email}</p>}
      </div>
    </Card>
  );
}

const row = 'flex min-h-15 w-full items-center gap-3 px-3 py-2 text-left wrap-anywhere';

function Entries({ user }: { user: User }) {
  const toast = useToast();
  const [isChanging, setChanging] = useState(false);
  const close = () => setChanging(false);
  return (
    <ul className={join(cardClass, 'divide-y divide-line overflow-hidden')}>
      {entries.map(({ name, Icon }) => (
        <li key={name}>
          <button
            type="button"
            className={join(row, '-outline-offset-4 hover:bg-ground')}
            onClick={() => toast({ title: 'Fonctionnalité en développement' })}
          >
            <IconTile Icon={Icon} />
            <span className="min-w-0 flex-1 font-medium">{name}</span>
            <ChevronIcon className="size-5 shrink-0 text-edge" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className={join(row, '-outline-offset-4 hover:bg-ground')}
          onClick={() => setChanging(true)}
        >
          <IconTile Icon={KeyIcon} />
          <span className="min-w-0 flex-1 font-medium">Changer mon mot de passe</span>
          <ChevronIcon className="size-5 shrink-0 text-edge" />
        </button>
        {isChanging && (
          <Dialog title="Changer mon mot de passe" onClose={close}>
            <div className="mt-3">
              <ChangePasswordForm user={user} onDone={close} onCancel={close} />
            </div>
          </Dialog>
        )}
      </li>
      <li className={row}>
        <IconTile Icon={InfoIcon} />
        <div className="min-w-0 flex-1">
          <p className="font-medium">À propos</p>
          <p className="text-soft text-sm">Plateforme Guichet, version 1.0.0</p>
        </div>
      </li>
    </ul>
  );
}

/** The settings entry that installs the app, where the browser offers it. */
function InstallOffer() {
  const install = useInstall();
  if (!install) return null;
  return (
    <button
      type="button"
      className={join(
        cardClass,
        'wrap-anywhere flex min-h-15 w-full items-center gap-3 px-3 py-2 text-left -outline-offset-4 hover:bg-ground',
      )}
      onClick={install}
    >
      <IconTile Icon={InstallIcon} />
      <span className="min-w-0 flex-1 font-medium">Installer l’application</span>
      <ChevronIcon className="size-5 shrink-0 text-edge" />
    </button>
  );
}
