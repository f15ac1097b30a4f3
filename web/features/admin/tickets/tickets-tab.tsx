import { type CSSProperties, useRef, useState } from 'react';
import {
  type AdminTicket,
  type Decision,
  type DecisionResult,
  decisionsAtOnce,
  exportTickets,
  listTickets,
  type TicketStatus,
} from '#contract/tickets.ts';
import { adminUserAddress } from '#web/admin-addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { download, saveFile } from '#web/api/download.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { type Fetching, FileButton } from '#web/features/admin/shared/file-button.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { navigate } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { RejectDialog, ResultsDialog, useRejectReasons } from './decision-dialogs.tsx';
import { TicketDialog } from './ticket-dialog.tsx';
import { TicketFilters, useTicketFilter } from './ticket-filters.tsx';
import { TicketTable } from './ticket-table.tsx';
import { useDecide } from './use-decide.ts';

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
      <QueryState
        query={list}
        loading="Chargement des tickets..."
        failure="Impossible de charger les tickets."
        empty={<EmptyState Icon={TicketIcon} title="Aucun ticket trouvé" />}
      >
        {({ hasMore, total, capped }) => (
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
        )}
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

function warningOf(those: AdminTicket[], now: AdminTicket[]): string | undefined {
  const changed = those.flatMap(({ id, status }) => now.filter((each) => each.id === id && each.status !== status));
  const [first] = changed;
  if (!first) return undefined;
  return `Un autre administrateur vient de décider : ticket n° ${first.id}, ${ticketStatusLabel(first.status).label.toLowerCase()}.`;
}

function ChoiceBar({
  count,
  busy,
  onApprove,
  onReject,
  onClear,
}: {
  count: number;
  busy: boolean;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
}) {
  return (
    <section
      aria-label="Tickets sélectionnés"
      className="sticky top-14 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-card border border-leaf/30 bg-leaf-pale px-3.5 py-2 lg:top-0"
    >
      <p role="status" className="flex-1 whitespace-nowrap font-semibold">
        {count} sélectionné{count > 1 && 's'}
      </p>
      <Button variant="quiet" small onClick={onClear}>
        Désélectionner
      </Button>
      <Button small busy={busy} onClick={onApprove}>
        Approuver
      </Button>
      <Button variant="danger" small busy={busy} onClick={onReject}>
        Rejeter
      </Button>
    </section>
  );
}

function ExportButton({ query }: { query: Record<string, string> }) {
  const fetchTickets = async (how: Fetching) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    try {
      const { file, rows = 0 } = await download(exportTickets, { ...query, timeZone }, how);
      const name = `tickets_export_${dayOf(new Date())}.xlsx`;
      saveFile(file, name);
      return { title: 'Export réussi', description: `${formatCount(rows)} ticket(s) exporté(s) dans ${name}.` };
    } catch (error) {
      if (!hasCode(error, 'NOTHING_TO_EXPORT')) throw error;
      return { title: 'Aucune donnée', description: 'Aucun ticket à exporter.' };
    }
  };
  return <FileButton onFetch={fetchTickets}>Exporter Excel</FileButton>;
}

/** Tracks displayed tickets whose status another administrator changed, until one handles them. */
function useChangedByOthers(tickets: readonly AdminTicket[]) {
  const seen = useRef(new Map<number, TicketStatus>());
  const changed = new Set<number>();
  for (const { id, status } of tickets) {
    const before = seen.current.get(id);
    if (before === undefined) seen.current.set(id, status);
    else if (before !== status) changed.add(id);
  }
  return {
    changed,
    /** Marks the current state of these tickets as seen. */
    markSeen(known: readonly Pick<AdminTicket, 'id' | 'status'>[]) {
      for (const { id, status } of known) seen.current.set(id, status);
    },
  };
}
