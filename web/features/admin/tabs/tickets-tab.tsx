import { useState } from 'react';
import { type AdminTicket, listTickets, type TicketStatus, ticketStatuses } from '#contract/tickets.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useSettled } from '#web/api/use-settled.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { TicketTable } from './ticket-table.tsx';
import { useChangeStatus } from './use-change-status.ts';

const pageSize = 50;

export function TicketsTab() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<TicketStatus | ''>('');
  const [limit, setLimit] = useState(pageSize);
  const [rejecting, setRejecting] = useState<AdminTicket>();
  const settled = useSettled(search.trim());
  const change = useChangeStatus();
  const query = useEndpoint(
    listTickets,
    { query: { limit: String(limit), ...(settled && { search: settled }), ...(status && { status }) } },
    { pollEvery: 5_000, keepPrevious: true },
  );
  return (
    <>
      <PageTitle>Tickets</PageTitle>
      <div className="mb-4 grid gap-3 sm:grid-cols-[2fr_1fr]">
        <Field
          label="Rechercher"
          type="search"
          placeholder="Numéro de ticket ou service"
          value={search}
          maxLength={100}
          onChange={(event) => setSearch(event.target.value)}
        />
        <SelectField
          label="Statut"
          value={status}
          onChange={(event) => setStatus(event.target.value as TicketStatus | '')}
        >
          <option value="">Tous les statuts</option>
          {ticketStatuses.map((each) => (
            <option key={each} value={each}>
              {ticketStatusLabel(each).label}
            </option>
          ))}
        </SelectField>
      </div>
      <QueryState query={query} loading="Chargement des tickets..." failure="Impossible de charger les tickets.">
        {(tickets) =>
          tickets.length === 0 ? (
            <EmptyState picture="🎫" title="Aucun ticket trouvé" />
          ) : (
            <>
              <TicketTable
                tickets={tickets}
                busy={change.pending}
                onApprove={(ticket) => change.run(ticket, 'approved')}
                onReject={setRejecting}
              />
              {tickets.length === limit && (
                <Button look="plain" className="mt-4 w-full" onClick={() => setLimit(limit + pageSize)}>
                  Afficher plus
                </Button>
              )}
            </>
          )
        }
      </QueryState>
      {rejecting && (
        <RejectDialog
          ticket={rejecting}
          onClose={() => setRejecting(undefined)}
          onReject={(reason) => {
            setRejecting(undefined);
            void change.run(rejecting, 'rejected', reason);
          }}
        />
      )}
    </>
  );
}
