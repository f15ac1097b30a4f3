import { readUser } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatPhone } from '#contract/phone.ts';
import { adminUserTicketsAddress } from '#web/admin-addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CloseFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount, formatDate } from '#web/text/formats.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { actionLabels, actionsFor, useUserActions } from './user-actions.tsx';
import { None, StatusBadges, UserCountry, userName } from './user-facts.tsx';

/** A user, kept current, with what can be done with the account. */
export function UserDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useEndpoint(readUser, { params: { id } }, { pollEveryMs: pollEveryMs.adminUsers });
  const { user: caller } = useAuth();
  const { ask, dialog } = useUserActions({ onDeleted: onClose });
  const user = query.data;
  // An id that is not a number belongs to no user. A user deleted meanwhile was displayed before.
  const isUnknown = hasCode(query.error, 'USER_NOT_FOUND') || hasCode(query.error, 'INVALID');
  return (
    <>
      <Dialog
        addressed
        title={isUnknown ? 'Utilisateur introuvable' : user ? userName(user) : 'Utilisateur'}
        onClose={onClose}
      >
        {isUnknown ? (
          <EmptyState Icon={PersonIcon} title="Ce compte n'existe pas, ou il a été supprimé." />
        ) : (
          <QueryState
            query={query}
            loading="Chargement de l'utilisateur..."
            failure="Cet utilisateur n'a pas pu être chargé."
          >
            {(shown) => (
              <>
                <UserFacts user={shown} />
                <section
                  aria-label="Actions"
                  className="mt-5 flex flex-wrap gap-2 empty:hidden max-sm:*:flex-auto short:*:flex-none"
                >
                  {actionsFor(shown, caller?.id).map((action) => (
                    <Button
                      // Opposite actions share a button, so that it keeps the focus.
                      key={action === 'deactivate' ? 'activate' : action}
                      tight
                      variant={action === 'delete' ? 'danger' : 'plain'}
                      className="text-body"
                      onClick={() => ask(action, shown)}
                    >
                      {actionLabels[action]}
                    </Button>
                  ))}
                </section>
              </>
            )}
          </QueryState>
        )}
        <CloseFoot onClose={onClose} />
      </Dialog>
      {dialog}
    </>
  );
}

function UserFacts({ user }: { user: ResponseOf<typeof readUser> }) {
  return (
    <div className="mt-4">
      <Facts>
        <Fact name="Statut">
          <StatusBadges user={user} />
        </Fact>
        <Fact name="Téléphone">
          {user.phone ? <span className="tabular-nums">{formatPhone(user.phone)}</span> : <None />}
        </Fact>
        <Fact name="E-mail">{user.email ? <span className="wrap-anywhere">{user.email}</span> : <None />}</Fact>
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
  );
}
