import { readUser } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatPhone } from '#contract/phone.ts';
import { adminUserTicketsAddress } from '#web/admin-addresses.ts';
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
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { actionLabels, actionsFor, type UserAction, useUserActions } from './user-actions.tsx';
import { None, StatusBadge, UserCountry, userName } from './user-facts.tsx';

/** Opposite actions share a button, so that it keeps the focus. */
const slots: Partial<Record<UserAction, string>> = {
  activate: 'access',
  deactivate: 'access',
};

/** A user, kept current. `back` is the list's address with its state. */
export function UserPage({ id, back }: { id: string; back: string }) {
  const query = useEndpoint(readUser, { params: { id } }, { pollEveryMs: pollEveryMs.adminUsers });
  // An id that is not a number belongs to no user. A user deleted meanwhile was displayed before.
  const isUnknown = hasCode(query.error, 'USER_NOT_FOUND') || hasCode(query.error, 'INVALID');
  return (
    <>
      <TabTitle
        before={
          <Link href={back} className={buttonClass({ variant: 'quiet', small: true }, '-ml-2.5')}>
            <BackIcon className="size-5" /> Tous les utilisateurs
          </Link>
        }
      >
        {isUnknown ? 'Utilisateur introuvable' : query.data ? userName(query.data) : 'Utilisateur'}
      </TabTitle>
      {isUnknown ? (
        <EmptyState Icon={PersonIcon} title="Ce compte n'existe pas, ou il a été supprimé." />
      ) : (
        <QueryState
          query={query}
          loading="Chargement de l'utilisateur..."
          failure="Cet utilisateur n'a pas pu être chargé."
        >
          {(user) => <Detail user={user} back={back} />}
        </QueryState>
      )}
    </>
  );
}

function Detail({ user, back }: { user: ResponseOf<typeof readUser>; back: string }) {
  const { user: caller } = useAuth();
  const actions = actionsFor(user, caller?.id);
  const { ask, dialog } = useUserActions({ onDeleted: () => navigate(back, { replace: true }) });
  return (
    <Card>
      {/* Where there is room each value stands near its name. */}
      <div className="grid gap-x-12 gap-y-1.5 sm:grid-cols-2 sm:[&_dd]:ml-0 sm:[&_dd]:text-left sm:[&_div]:justify-start sm:[&_dt]:w-24">
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
          <Fact name="Tickets">
            {user.tickets > 0 ? (
              <Link
                href={adminUserTicketsAddress(user.id)}
                className="inline-flex min-h-6 items-center font-semibold text-leaf underline underline-offset-4"
              >
                {user.tickets === 1 ? 'Voir son ticket' : `Voir ses ${formatCount(user.tickets)} tickets`}
              </Link>
            ) : (
              '0'
            )}
          </Fact>
        </Facts>
      </div>
      {actions.length > 0 && (
        <section
          aria-label="Actions"
          className="mt-4 grid grid-cols-2 gap-2.5 border-line border-t pt-4 sm:flex sm:flex-wrap"
        >
          {actions.map((action) => (
            <Button
              key={slots[action] ?? action}
              tight
              variant={action === 'delete' ? 'danger' : 'plain'}
              className={join('wrap-anywhere hyphens-auto text-sm sm:text-base', action === 'delete' && 'sm:ml-auto')}
              onClick={() => ask(action, user)}
            >
              {actionLabels[action]}
            </Button>
          ))}
        </section>
      )}
      {dialog}
    </Card>
  );
}
