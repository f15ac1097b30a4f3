import { formatPhone } from '#contract/phone.ts';
import { accountStatus, type User } from '#contract/users.ts';
import { useAuth } from '#web/session/auth.tsx';
import { useSignOut } from '#web/session/use-sign-out.ts';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, cardClass } from '#web/ui/card.tsx';
import { ForwardIcon, LeaveIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';

const entries = ['Profil', 'Sécurité', 'Notifications', "Centre d'aide"];

export function SettingsPage() {
  const { user } = useAuth();
  const leave = useSignOut();
  if (!user) return null;
  return (
    <Column>
      <PageTitle>Paramètres</PageTitle>
      <div className="flex flex-col gap-4">
        <ProfileCard user={user} />
        {user.isGuest ? (
          <Card className="flex flex-col gap-4">
            <p>Vous naviguez en mode invité</p>
            <Button variant="plain" busy={leave.busy} onClick={() => leave.run()}>
              Quitter le mode invité
            </Button>
          </Card>
        ) : (
          <>
            <Entries />
            <Button variant="danger" busy={leave.busy} onClick={() => leave.run()}>
              <LeaveIcon className="size-5" /> Se déconnecter
            </Button>
          </>
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
    <Card className="flex items-center gap-4">
      <span
        className="flex size-14 shrink-0 items-center justify-center rounded-full bg-leaf font-bold text-white text-xl"
        aria-hidden="true"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0">
        <h2 className="break-words font-bold text-lg">{name}</h2>
        <Badge tone={status === 'Vérifié' || status === 'Admin' ? 'green' : 'amber'}>{status}</Badge>
        {user.email && <p className="mt-1 break-all text-soft">{user.email}</p>}
        {user.phone && <p className="mt-1 text-soft">{formatPhone(user.phone)}</p>}
      </div>
    </Card>
  );
}

function Entries() {
  const toast = useToast();
  return (
    <ul className={join(cardClass, 'divide-y divide-line overflow-hidden')}>
      {entries.map((entry) => (
        <li key={entry}>
          <button
            type="button"
            className="flex min-h-14 w-full items-center justify-between gap-3 px-4 text-left -outline-offset-4 hover:bg-ground"
            onClick={() => toast({ title: 'Fonctionnalité en développement' })}
          >
            {entry}
            <ForwardIcon className="size-5 text-edge" />
          </button>
        </li>
      ))}
      <li className="px-4 py-3.5">
        <p>À propos</p>
        <p className="text-soft text-sm">Plateforme Guichet, version 1.0.0</p>
      </li>
    </ul>
  );
}
