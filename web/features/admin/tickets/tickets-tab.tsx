import { type CSSProperties, useState } from 'react';
import {
  type AdminTicket,
  type Decision,
  type DecisionResult,
  decisionsAtOnce,
  listTickets,
} from '#contract/tickets.ts';
import { adminUserAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { navigate } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { ChoiceBar } from './choice-bar.tsx';
import { ExportButton } from './export-button.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { ResultsDialog } from './results-dialog.tsx';
import { TicketDialog } from './ticket-dialog.tsx';
import { useTicketFilter } from './ticket-filter.ts';
import { TicketFilters } from './ticket-filters.tsx';
import { TicketTable } from './ticket-table.tsx';
import { useChangedByOthers } from './use-changed-by-others.ts';
import { useDecide } from './use-decide.ts';
import { useRejectReasons } from './use-reject-reasons.ts';

/** The administrators' daily work: the tickets, newest first, and their decisions. */
export default function TicketsTab() {
  const { filter, query, set } = useTicketFilter();
  const { values } = useTabSearch();
  const list = useList(listTickets, { query }, { pollEveryMs: pollEveryMs.adminTickets, pageRows: 100 });
  const tickets = list.data?.rows ?? [];
  // Fetched with the tickets, so that the reject dialog opens at its full height.
  useRejectReasons();
  const { changed, markSeen } = useChangedByOthers(tickets);
  const [chosenIds, setChosenIds] = useState<ReadonlySet<number>>(new Set());
  const [rejecting, setRejecting] = useState<AdminTicket[]>([]);
  const [results, setResults] = useState<DecisionResult[]>();
  const decide = useDecide({ onDecided: markSeen });
  const chosen = tickets.filter(({ id }) => chosenIds.has(id)).slice(0, decisionsAtOnce);
  const opened = Number(values.get('ticket')) || undefined;

  const decideOne = (ticket: AdminTicket, status: Decision) => {
    markSeen([ticket]);
    if (status === 'approved') void decide.one.run(ticket, status);
    else setRejecting([ticket]);
  };
  const decideChosen = (those: AdminTicket[], status: Decision, reason?: string) =>
    void decide.many.run(those, { status, ...(reason && { reason }) }, (answered) => {
      setChosenIds(new Set());
      setResults(answered);
    });
  const reject = (reason: string) => {
    setRejecting([]);
    const [first] = rejecting;
    if (rejecting.length > 1) decideChosen(rejecting, 'rejected', reason);
    else if (first) void decide.one.run(first, 'rejected', reason);
  };

  return (
    <>
      <TabTitle aside={<ExportButton query={query} />}>Tickets</TabTitle>
      <TicketFilters filter={filter} set={set} />
      {chosen.length > 0 && (
        <ChoiceBar
          count={chosen.length}
          busy={decide.busy}
          onApprove={() => decideChosen(chosen, 'approved')}
          onReject={() => setRejecting(chosen)}
          onClear={() => setChosenIds(new Set())}
        />
      )}
      <QueryState query={list} loading="Chargement des tickets..." failure="Impossible de charger les tickets.">
        {({ hasMore, total, capped }) =>
          tickets.length === 0 ? (
            <EmptyState Icon={TicketIcon} title="Aucun ticket trouvé" />
          ) : (
            // Below the sticky bar of selected tickets.
            <div style={{ '--head-top': chosen.length > 0 ? '3.375rem' : '0px' } as CSSProperties}>
              <TicketTable
                tickets={tickets}
                busy={decide.busy}
                chosen={chosenIds}
                changed={changed}
                onChoose={(ticket, on) => setChosenIds((before) => withOrWithout(before, ticket.id, on))}
                onOpen={(ticket) => set({ ticket: String(ticket.id) }, { step: true })}
                onDecide={decideOne}
              />
              <p className="mt-3 text-soft">
                Affichage de {formatCount(tickets.length)} ticket(s) sur {capped && 'plus de '}
                {formatCount(Math.max(total, tickets.length))} au total
              </p>
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </div>
          )
        }
      </QueryState>
      {opened && (
        <TicketDialog
          id={opened}
          busy={decide.busy}
          onDecide={decideOne}
          onOpenUser={(id) => navigate(adminUserAddress(id))}
          onClose={() => set({ ticket: undefined })}
        />
      )}
      {rejecting[0] && (
        <RejectDialog
          title={
            rejecting.length > 1 ? `Rejeter ${rejecting.length} tickets` : `Rejeter le ticket n° ${rejecting[0].id}`
          }
          warning={warningOf(rejecting, tickets)}
          onClose={() => setRejecting([])}
          onReject={reject}
        />
      )}
      {results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />}
    </>
  );
}

function withOrWithout(ids: ReadonlySet<number>, id: number, on: boolean): ReadonlySet<number> {
  const next = new Set(ids);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

/** Other administrators' decisions on these tickets since the dialog opened. */
function warningOf(those: AdminTicket[], now: AdminTicket[]): string | undefined {
  const changed = those.flatMap(({ id, status }) => now.filter((each) => each.id === id && each.status !== status));
  const [first] = changed;
  if (!first) return undefined;
  return `Un autre administrateur vient de décider : ticket n° ${first.id}, ${ticketStatusLabel(first.status).label.toLowerCase()}.`;
}
