import { readUser } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatPhone } from '#contract/phone.ts';
import { type AdminTicket, listTickets } from '#contract/tickets.ts';
import { adminTicketAddress, adminUserTicketsAddress } from '#web/admin-addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link, navigate } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount, formatDate, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { BackIcon } from '#web/ui/control-icons.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { actionLabels, actionsFor, type UserAction, useUserActions } from './user-actions.tsx';
import { None, StatusBadge, UserCountry, userName } from './user-facts.tsx';

type UserDetail = ResponseOf<typeof readUser>;

/** Opposite actions share a button, so that it keeps the focus. */
const slots: Partial<Record<UserAction, string>> = {
  activate: 'access',
  deactivate: 'access',
  promote: 'role',
  demote: 'role',
};

/** What can be taken back, apart from deletion. */
const groups: readonly (readonly UserAction[])[] = [
  ['reset-password', 'activate', 'deactivate', 'promote', 'demote'],
  ['delete'],
];

/** A whole user, kept current. `back` is the list's address with its state. */
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

function Detail({ user, back }: { user: UserDetail; back: string }) {
  const { user: caller } = useAuth();
  const actions = actionsFor(user, caller?.id);
  const { ask, dialog } = useUserActions({ onDeleted: () => navigate(back, { replace: true }) });
  return (
    <>
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
            <Fact name="Tickets">{formatCount(user.tickets)}</Fact>
          </Facts>
        </div>
        <section
          aria-label="Actions"
          className="mt-4 grid grid-cols-2 gap-2.5 border-line border-t pt-4 sm:flex sm:flex-wrap sm:justify-between sm:gap-x-12 sm:gap-y-4 short:gap-x-2.5"
        >
          {groups.map((group) => (
            <div key={group.join()} className="flex flex-wrap gap-2.5 empty:hidden max-sm:contents">
              {actions
                .filter((action) => group.includes(action))
                .map((action) => (
                  <Button
                    key={slots[action] ?? action}
                    tight
                    variant={action === 'delete' ? 'danger' : 'plain'}
                    className="wrap-anywhere max-w-full hyphens-auto text-sm sm:text-base short:text-sm"
                    aria-label={actionLabels[action]}
                    onClick={() => ask(action, user)}
                  >
                    <span>
                      <span>{action === 'delete' ? 'Supprimer' : actionLabels[action]}</span>
                      {action === 'delete' && <span className="short:hidden"> définitivement</span>}
                    </span>
                  </Button>
                ))}
            </div>
          ))}
        </section>
      </Card>
      <UserTickets userId={user.id} count={user.tickets} />
      {dialog}
    </>
  );
}

const columns: Column<AdminTicket>[] = [
  { head: 'N°', className: 'w-20', cell: (ticket) => <Opener ticket={ticket} /> },
  { head: 'Service', className: 'max-w-72', cell: (ticket) => <Path ticket={ticket} /> },
  { head: 'Total', end: true, cell: (ticket) => <Total ticket={ticket} /> },
  { head: 'Date', className: 'pl-8', cell: (ticket) => <Moment instant={ticket.createdAt} /> },
  { head: 'Statut', cell: (ticket) => <Status ticket={ticket} /> },
];

/** A user's tickets, newest first; each opens in the tickets tab. */
function UserTickets({ userId, count }: { userId: number; count: number }) {
  const list = useList(listTickets, { query: { userId: String(userId) } }, { pollEveryMs: pollEveryMs.adminTickets });
  return (
    <section aria-labelledby="user-tickets" className="mt-6">
      <div className="mb-3 flex min-h-12 flex-wrap items-center justify-between gap-x-4">
        <h2 id="user-tickets" className="font-bold text-xl">
          Tickets
        </h2>
        {count > 0 && (
          <Link
            href={adminUserTicketsAddress(userId)}
            className={buttonClass({ variant: 'quiet', tight: true }, '-mx-3')}
          >
            Voir dans l'onglet Tickets
          </Link>
        )}
      </div>
      <QueryState
        query={list}
        loading="Chargement des tickets..."
        failure="Impossible de charger les tickets."
        empty={<EmptyState Icon={TicketIcon} title="Aucun ticket" />}
      >
        {({ rows, hasMore }) => (
          <>
            <DataTable
              label="Tickets de l'utilisateur"
              rows={rows}
              columns={columns}
              card={(ticket) => (
                <div className="flex flex-col gap-1">
                  <div className="flex flex-wrap items-center justify-between gap-x-3">
                    <Opener ticket={ticket} />
                    <Status ticket={ticket} />
                  </div>
                  <Path ticket={ticket} />
                  <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <span className="text-soft text-sm">
                      <Moment instant={ticket.createdAt} />
                    </span>
                    <Total ticket={ticket} />
                  </div>
                </div>
              )}
            />
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function Opener({ ticket: { id } }: { ticket: AdminTicket }) {
  return (
    <Link
      href={adminTicketAddress(id)}
      aria-label={`Ouvrir le ticket n° ${id}`}
      className="inline-block whitespace-nowrap rounded-lg py-0.5 font-semibold text-leaf tabular-nums underline-offset-4 hover:underline"
    >
      {formatCount(id)}
    </Link>
  );
}

function Path({ ticket }: { ticket: AdminTicket }) {
  const names = ticket.servicePath.map((step) => step.name);
  const above = names.slice(0, -1).join(' → ');
  return (
    <div title={names.join(' → ')} className="min-w-0">
      <span className="line-clamp-1 font-semibold">{names.at(-1)}</span>
      {above && <span className="line-clamp-1 text-[0.8125rem] text-soft">{above}</span>}
    </div>
  );
}

function Total({ ticket }: { ticket: AdminTicket }) {
  return (
    <strong className="whitespace-nowrap font-semibold tabular-nums">
      {formatTotal(Number(ticket.totalPrice), ticket.servicePath)}
    </strong>
  );
}

function Status({ ticket }: { ticket: AdminTicket }) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  return (
    <Badge small tone={tone}>
      {label}
    </Badge>
  );
}
