import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react';
import { formatPhone } from '#contract/phone.ts';
import { accountStatus, type User } from '#contract/users.ts';
import { ChangePasswordForm } from '#web/account/change-password-form.tsx';
import { CreateAccount, WhyAnAccount } from '#web/account/create-account.tsx';
import { ProfileForm } from '#web/account/profile-form.tsx';
import { PushCard } from '#web/account/push-card.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { useSignOut } from '#web/session/use-sign-out.ts';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { LookFields } from '#web/shell/look-fields.tsx';
import { HelpIcon, InfoIcon, LeaveIcon, PersonIcon, ShieldIcon, SunIcon } from '#web/ui/action-icons.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, cardClass } from '#web/ui/card.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import type { IconProps } from '#web/ui/drawing.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { BellIcon, ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { PeopleIcon } from '#web/ui/panel-icons.tsx';
import { Beneficiaries } from './beneficiaries.tsx';
import { Help } from './help.tsx';

export default function SettingsPage() {
  const { user } = useAuth();
  const leave = useSignOut();
  if (!user) return null;
  return (
    <Column>
      <PageTitle>Paramètres</PageTitle>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:items-start">
        <div className="flex flex-col gap-4">
          <ProfileCard user={user} />
          {user.isGuest ? (
            <Card className="flex flex-col gap-2.5">
              <p className="font-semibold">Vous naviguez en mode invité</p>
              <WhyAnAccount className="mb-1.5 text-body" />
              <CreateAccount />
              <Button variant="outline" busy={leave.busy} onClick={() => leave.run()}>
                Quitter le mode invité
              </Button>
            </Card>
          ) : (
            <AccountEntries user={user} />
          )}
        </div>
        <div className="flex flex-col gap-4">
          <AppEntries isGuest={user.isGuest} />
          {!user.isGuest && (
            <Button variant="danger" busy={leave.busy} onClick={() => leave.run()}>
              <LeaveIcon className="size-5" /> Se déconnecter
            </Button>
          )}
        </div>
      </div>
      <LegalLinks />
    </Column>
  );
}

function ProfileCard({ user }: { user: User }) {
  const name = user.isGuest ? 'Invité' : `${user.firstName} ${user.lastName}`;
  const status = accountStatus(user);
  return (
    <Card className="flex flex-wrap items-center gap-3">
      <span
        className="flex size-12 max-h-[15vw] max-w-[15vw] shrink-0 items-center justify-center rounded-full bg-leaf font-bold text-large text-on-leaf"
        aria-hidden="true"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <h2 className="wrap-anywhere hyphens-none font-bold text-large leading-snug">{name}</h2>
        <p className="mt-0.5 mb-1">
          <Badge tone={status === 'Vérifié' || status === 'Admin' ? 'green' : 'amber'}>{status}</Badge>
        </p>
        {user.phone && <p className="text-soft text-small tabular-nums">{formatPhone(user.phone)}</p>}
        {user.email && <EmailLine email={user.email} />}
      </div>
    </Card>
  );
}

/** Where it is longer than its line, it breaks before its domain. */
function EmailLine({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <p className="wrap-anywhere hyphens-none text-small text-soft">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </p>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 font-bold font-display text-large leading-tight">{title}</h2>
      <ul className={join(cardClass, 'divide-y divide-line overflow-hidden')}>{children}</ul>
    </section>
  );
}

function AccountEntries({ user }: { user: User }) {
  return (
    <Group title="Compte">
      <Entry name="Profil" about="Prénom, nom et e-mail" Icon={PersonIcon}>
        {(close) => <ProfileForm user={user} onDone={close} onCancel={close} />}
      </Entry>
      <Entry name="Bénéficiaires" about="Vos numéros enregistrés" Icon={PeopleIcon}>
        <Beneficiaries />
      </Entry>
      <Entry name="Sécurité" about="Mot de passe" Icon={ShieldIcon} title="Changer mon mot de passe">
        {(close) => <ChangePasswordForm user={user} onDone={close} onCancel={close} />}
      </Entry>
      <Entry name="Notifications" about="Être prévenu des réponses" Icon={BellIcon}>
        <p>Quand une demande est approuvée ou rejetée, la réponse est dans l'onglet « Notifications ».</p>
        <PushCard userId={user.id} always />
      </Entry>
    </Group>
  );
}

function AppEntries({ isGuest }: { isGuest: boolean }) {
  return (
    <>
      <Group title="Application">
        <Entry name="Affichage" about="Thème clair ou sombre" Icon={SunIcon} tone="blue">
          <LookFields />
        </Entry>
        {!isGuest && (
          <li>
            <EntryRow name="À propos" about="Plateforme Guichet, version 1.0.0" Icon={InfoIcon} tone="blue" />
          </li>
        )}
      </Group>
      <Group title="Aide">
        <Entry name="Centre d'aide" about="Questions fréquentes" Icon={HelpIcon} tone="amber">
          <Help />
        </Entry>
      </Group>
    </>
  );
}

interface Words {
  name: string;
  about: string;
  Icon: ComponentType<IconProps>;
  tone?: ComponentProps<typeof IconTile>['tone'];
}

/** A row of the settings: its icon, its name and what it is about. */
function EntryRow({ name, about, Icon, tone = 'green', aside }: Words & { aside?: ReactNode }) {
  return (
    <span className="wrap-anywhere flex min-h-15 w-full items-center gap-3 px-4 py-2 text-left sm:px-5">
      <IconTile Icon={Icon} tone={tone} />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="block font-semibold">{name}</span>
        <span className="block text-small text-soft">{about}</span>
      </span>
      {aside}
    </span>
  );
}

/** An entry of the settings' list that opens a dialog, under its own name unless that has another title; a form closes it itself. */
function Entry({
  title,
  children,
  ...words
}: Words & { title?: string; children: ReactNode | ((close: () => void) => ReactNode) }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <li>
      <button type="button" className="w-full -outline-offset-4 hover:bg-ground" onClick={() => setOpen(true)}>
        <EntryRow {...words} aside={<ChevronIcon className="size-5 shrink-0 text-leaf" />} />
      </button>
      {isOpen && (
        <Dialog calm title={title ?? words.name} onClose={close}>
          <div className="mt-4 flex flex-col gap-4 short:mt-3">
            {typeof children === 'function' ? (
              children(close)
            ) : (
              <>
                {children}
                <DialogButtons>
                  <Button variant="quiet" tight className="flex-1 sm:-mr-3" onClick={close}>
                    Fermer
                  </Button>
                </DialogButtons>
              </>
            )}
          </div>
        </Dialog>
      )}
    </li>
  );
}
