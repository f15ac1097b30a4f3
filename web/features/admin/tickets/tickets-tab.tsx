import { useState } from 'react';
import { searchLength } from '#contract/shapes.ts';
import { type AdminTicket, listTickets, type TicketStatus, ticketStatuses } from '#contract/tickets.ts';
import { rowsPerPage } from '#web/api/limits.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { TicketTable } from './ticket-table.tsx';
import { useChangeTicketStatus } from './use-change-ticket-status.ts';

export default function TicketsTab() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<TicketStatus | ''>('');
  const [limit, setLimit] = useState(rowsPerPage);
  const [rejecting, setRejecting] = useState<AdminTicket>();
  const searched = useDebounced(search.trim());
  const change = useChangeTicketStatus();
  const query = useEndpoint(
    listTickets,
    { query: { limit: String(limit), ...(searched && { search: searched }), ...(status && { status }) } },
    { pollEveryMs: pollEveryMs.adminTickets, keepPrevious: true },
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
          maxLength={searchLength}
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
                busy={change.busy}
                onApprove={(ticket) => change.run(ticket, 'approved')}
                onReject={setRejecting}
              />
              {tickets.length === limit && (
                <Button variant="plain" className="mt-4 w-full" onClick={() => setLimit(limit + rowsPerPage)}>
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
