import { type AdminTicket, listTickets } from '#contract/tickets.ts';
import { adminTicketAddress, adminUserTicketsAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

const columns: Column<AdminTicket>[] = [
  { head: 'N°', end: true, className: 'w-20', cell: (ticket) => <Opener ticket={ticket} /> },
  { head: 'Service', className: 'max-w-72', cell: (ticket) => <Path ticket={ticket} /> },
  { head: 'Total', end: true, cell: (ticket) => <Total ticket={ticket} /> },
  { head: 'Date', cell: (ticket) => <Moment instant={ticket.createdAt} /> },
  { head: 'Statut', cell: (ticket) => <Status ticket={ticket} /> },
];

/** A user's tickets, newest first; each opens in the tickets tab. */
export function UserTickets({ userId, count }: { userId: number; count: number }) {
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
            Voir dans l’onglet Tickets
          </Link>
        )}
      </div>
      <QueryState query={list} loading="Chargement des tickets..." failure="Impossible de charger les tickets.">
        {({ rows, hasMore }) =>
          rows.length === 0 ? (
            <EmptyState Icon={TicketIcon} title="Aucun ticket" />
          ) : (
            <>
              <DataTable
                label="Tickets de l’utilisateur"
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
          )
        }
      </QueryState>
    </section>
  );
}

function Opener({ ticket: { id } }: { ticket: AdminTicket }) {
  return (
    <Link
      href={adminTicketAddress(id)}
      aria-label={`Ouvrir le ticket n° ${id}`}
      className="inline-block whitespace-nowrap rounded-lg py-0.5 font-bold text-leaf tabular-nums underline-offset-4 hover:underline"
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
      <span className="line-clamp-1 font-bold">{names.at(-1)}</span>
      {above && <span className="line-clamp-1 text-soft text-sm">{above}</span>}
    </div>
  );
}

function Total({ ticket }: { ticket: AdminTicket }) {
  return <strong className="whitespace-nowrap tabular-nums">{formatAmount(Number(ticket.totalPrice))}</strong>;
}

function Status({ ticket }: { ticket: AdminTicket }) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  return <Badge tone={tone}>{label}</Badge>;
}
