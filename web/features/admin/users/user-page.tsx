import { readUser } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatPhone } from '#contract/phone.ts';
import { hasCode } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link, navigate } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount, formatDate } from '#web/text/formats.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { BackIcon } from '#web/ui/control-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { useUserActions } from './use-user-actions.ts';
import { actionLabels, actionsFor, type UserAction } from './user-actions.ts';
import { None, StatusBadge, UserCountry, userName } from './user-facts.tsx';
import { UserTickets } from './user-tickets.tsx';

type UserDetail = ResponseOf<typeof readUser>;

/** Opposite actions share a button, so that it keeps the focus. */
const slots: Partial<Record<UserAction, string>> = {
  activate: 'access',
  deactivate: 'access',
  promote: 'role',
  demote: 'role',
};

/** A whole user, kept current. `back` is the list's address with its state. */
export function UserPage({ id, back }: { id: string; back: string }) {
  const query = useEndpoint(readUser, { params: { id } }, { pollEveryMs: pollEveryMs.adminUsers });
  // An id that is not a number belongs to no user. A user deleted meanwhile was displayed before.
  const isUnknown = hasCode(query.error, 'USER_NOT_FOUND') || hasCode(query.error, 'INVALID');
  return (
    <>
      <Link href={back} className={buttonClass({ variant: 'quiet', small: true }, '-ml-2.5 mb-1')}>
        <BackIcon className="size-5" /> Tous les utilisateurs
      </Link>
      <TabTitle>{isUnknown ? 'Utilisateur introuvable' : query.data ? userName(query.data) : 'Utilisateur'}</TabTitle>
      {isUnknown ? (
        <EmptyState Icon={PersonIcon} title="Ce compte n’existe pas, ou il a été supprimé." />
      ) : (
        <QueryState
          query={query}
          loading="Chargement de l’utilisateur..."
          failure="Cet utilisateur n’a pas pu être chargé."
        >
          {(user) => <Detail user={user} back={back} />}
        </QueryState>
      )}
    </>
  );
}

function Detail({ user, back }: { user: UserDetail; back: string }) {
  const { user: caller } = useAuth();
  const { ask, asked, close } = useUserActions();
  return (
    <>
      <Card>
        <div className="grid gap-x-12 gap-y-1.5 md:grid-cols-2">
          <Facts>
            <Fact name="Statut">
              <span className="flex flex-wrap justify-end gap-1.5">
                <StatusBadge user={user} />
                {user.isDeactivated && <Badge tone="red">Désactivé</Badge>}
              </span>
            </Fact>
            <Fact name="Téléphone">
              {user.phone ? <span className="tabular-nums">{formatPhone(user.phone)}</span> : <None />}
            </Fact>
            <Fact name="E-mail">{user.email ? <span className="wrap-anywhere">{user.email}</span> : <None />}</Fact>
          </Facts>
          <Facts>
            <Fact name="Pays">
              <UserCountry user={user} />
            </Fact>
            <Fact name="Créé le">{formatDate(user.createdAt)}</Fact>
            <Fact name="Tickets">{formatCount(user.tickets)}</Fact>
          </Facts>
        </div>
        <section aria-label="Actions" className="mt-4 flex flex-wrap gap-2.5 border-line border-t pt-4">
          {actionsFor(user, caller?.id).map((action) => (
            <Button
              key={slots[action] ?? action}
              tight
              variant={action === 'delete' ? 'danger' : 'plain'}
              className="wrap-anywhere max-w-full hyphens-auto grow sm:grow-0"
              onClick={() => ask(action, user)}
            >
              {actionLabels[action]}
            </Button>
          ))}
        </section>
      </Card>
      <UserTickets userId={user.id} count={user.tickets} />
      {asked && (
        <ActionDialog
          action={asked.action}
          user={asked.user}
          onClose={close}
          onDeleted={() => navigate(back, { replace: true })}
        />
      )}
    </>
  );
}
