import { type CSSProperties, useMemo, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listProposals } from '#contract/payments.ts';
import {
  type AdminTicket,
  type Decision,
  type DecisionResult,
  exportTickets,
  listTickets,
  type TicketStatus,
} from '#contract/tickets.ts';
import { adminUserAddress, ticketQueueAddress } from '#web/admin-addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { download, saveFile } from '#web/api/download.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { type Fetching, FileButton } from '#web/features/admin/shared/file-button.tsx';
import { ResultsDialog } from '#web/features/admin/shared/results-dialog.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { browserTimeZone } from '#web/features/admin/shared/time-zone.ts';
import { Link, navigate } from '#web/router.tsx';
import { formatCount, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { ChoiceBar } from './choice-bar.tsx';
import { RejectDialog, useRejectReasons } from './decision-dialogs.tsx';
import { useSureLine } from './payment-seen.tsx';
import { TicketDialog } from './ticket-dialog.tsx';
import { TicketFilters, useTicketFilter } from './ticket-filters.tsx';
import { TicketSkeleton } from './ticket-skeleton.tsx';
import { ownerOf, TicketTable } from './ticket-table.tsx';
import { useChoice } from './use-choice.ts';
import { useDecide } from './use-decide.ts';
import { focusedRow, useNextFocus } from './use-next-focus.ts';
import { useStillRows } from './use-still-rows.ts';

/** The administrators' daily work: the tickets, newest first, and their decisions. */
export function TicketList() {
  const { filter, query, set } = useTicketFilter();
  const { values } = useTabSearch();
  const isOldestFirst = filter.order === 'anciens';
  const isFiltered = Object.keys(query).length > 0;
  const list = useList(
    listTickets,
    { query: isOldestFirst ? { ...query, order: 'oldest' } : query },
    { pollEveryMs: pollEveryMs.adminTickets, pageRows: 100 },
  );
  const rows = list.data?.rows ?? [];
  const still = useStillRows(rows, isOldestFirst, JSON.stringify({ ...query, isOldestFirst }));
  const { tickets } = still;
  // Fetched with the tickets, so that the reject dialog opens at its full height.
  useRejectReasons();
  const proposals = useEndpoint(listProposals, {}, { pollEveryMs: pollEveryMs.adminPayments }).data;
  const paid = useMemo(() => paidTickets(proposals), [proposals]);
  const { changed, markSeen } = useChangedByOthers(tickets);
  const choice = useChoice(tickets);
  const { chosen } = choice;
  const [rejecting, setRejecting] = useState<AdminTicket[]>([]);
  const [results, setResults] = useState<DecisionResult[]>();
  const place = useRef<HTMLDivElement>(null);
  const opened = Number(values.get('ticket')) || undefined;
  const openedLine = useSureLine(opened);
  const { area, goOnAfter } = useNextFocus<HTMLDivElement>(
    tickets,
    opened !== undefined || rejecting.length > 0 || results !== undefined,
  );
  const decide = useDecide({
    // Proposals are those of the first payments alone; the dialog shows the payment of its own ticket.
    lineOf: (id) =>
      (id === opened ? openedLine : undefined) ?? proposals?.sure.find(({ ticket }) => ticket.id === id)?.line.id,
    onDecided: (decided, status) => {
      markSeen(decided);
      still.hold(decided);
      goOnAfter(decided, status);
    },
  });

  const decideOne = (ticket: AdminTicket, status: Decision) => {
    if (decide.one.busy.has(ticket.id)) return;
    markSeen([ticket]);
    if (status === 'approved') void decide.one.run(ticket, status);
    else setRejecting([ticket]);
  };
  const decideChosen = (those: AdminTicket[], status: Decision, reason?: string) =>
    void decide.many.run(those, { status, ...(reason && { reason }) }, (answered) => {
      choice.clear();
      setResults(answered);
      goOnAfter(those, 'choice');
    });
  const reject = (reason: string) => {
    setRejecting([]);
    const [first] = rejecting;
    if (rejecting.length > 1) decideChosen(rejecting, 'rejected', reason);
    else if (first) void decide.one.run(first, 'rejected', reason);
  };

  const clearFilters = () => {
    // The pressed button goes with the empty list.
    place.current?.focus({ preventScroll: true });
    set({ recherche: undefined, statut: undefined, periode: undefined, utilisateur: undefined });
  };

  return (
    <>
      <TabTitle
        aside={
          <>
            <Link href={ticketQueueAddress} className={buttonClass({ variant: 'plain' })}>
              File d'attente
            </Link>
            <ExportButton query={query} />
          </>
        }
      >
        Tickets
      </TabTitle>
      <TicketFilters filter={filter} set={set} />
      {chosen.length > 0 && (
        <ChoiceBar
          chosen={chosen}
          busy={decide.many.busy}
          onApprove={() => decideChosen(chosen, 'approved')}
          onReject={() => setRejecting(chosen)}
          onClear={choice.clear}
        />
      )}
      <div ref={place} tabIndex={-1} className="outline-none">
        <QueryState
          query={{ ...list, data: list.data && { ...list.data, rows: tickets } }}
          loading="Chargement des tickets..."
          skeleton={<TicketSkeleton text="Chargement des tickets..." />}
          failure="Impossible de charger les tickets."
          empty={
            <EmptyState
              Icon={TicketIcon}
              title="Aucun ticket trouvé"
              text={
                isFiltered
                  ? 'Aucun ticket ne répond à cette recherche. Effacez les filtres pour les revoir tous.'
                  : 'Les demandes des visiteurs apparaîtront ici.'
              }
            >
              {isFiltered && <Button onClick={clearFilters}>Effacer les filtres</Button>}
            </EmptyState>
          }
        >
          {({ hasMore, total, capped }) => (
            // Below the sticky bar of selected tickets.
            <div
              ref={area}
              style={{ '--head-top': chosen.length > 0 ? '3.375rem' : '0px' } as CSSProperties}
              // A finger leaves with each tap.
              onPointerLeave={({ pointerType }) => pointerType === 'mouse' && still.release(focusedRow())}
            >
              <TicketTable
                tickets={tickets}
                busy={decide.one.busy}
                chosen={choice.ids}
                isAllChosen={choice.isAll}
                done={still.done}
                changed={changed}
                paid={paid}
                onChoose={choice.choose}
                onChooseAll={choice.chooseAll}
                onOpen={(ticket) => set({ ticket: String(ticket.id) }, { step: true })}
                onDecide={decideOne}
              />
              <p className="mt-3 text-soft">
                {`Affichage de ${formatCount(rows.length)} ticket(s) sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))} au total`}
              </p>
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </div>
          )}
        </QueryState>
      </div>
      {opened && (
        <TicketDialog
          id={opened}
          busy={decide.one.busy.has(opened)}
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
          note={rejecting.length > 1 ? undefined : summaryOf(rejecting[0])}
          warning={warningOf(rejecting, tickets)}
          onClose={() => setRejecting([])}
          onReject={reject}
        />
      )}
      {results && (
        <ResultsDialog
          title={`${formatCount(results.filter(({ outcome }) => outcome === 'changed').length)} ticket(s) mis à jour sur ${formatCount(results.length)}`}
          label="Résultat par ticket"
          rows={results.map((each) => ({ ...each, name: `n°\u00a0${formatCount(each.id)}` }))}
          onClose={() => setResults(undefined)}
        />
      )}
    </>
  );
}

/** The tickets that payments are proposed for: true where one is sure. */
function paidTickets(proposals: ResponseOf<typeof listProposals> | undefined): ReadonlyMap<number, boolean> {
  const { sure = [], doubtful = [] } = proposals ?? {};
  return new Map(
    [...doubtful, ...sure].map(({ ticket }) => [ticket.id, sure.some((pair) => pair.ticket.id === ticket.id)]),
  );
}

const summaryOf = (ticket: AdminTicket) =>
  `${ticket.servicePath.at(-1)?.name} · ${formatTotal(Number(ticket.totalPrice), ticket.servicePath)} · ${ownerOf(ticket)}`;

function warningOf(those: readonly AdminTicket[], now: readonly AdminTicket[]): string | undefined {
  const changed = those.flatMap(({ id, status }) => now.filter((each) => each.id === id && each.status !== status));
  const [first] = changed;
  if (!first) return undefined;
  return `Un autre administrateur vient de décider : ticket n° ${first.id}, ${ticketStatusLabel(first.status).label.toLowerCase()}.`;
}

function ExportButton({ query }: { query: Record<string, string> }) {
  const fetchTickets = async (how: Fetching) => {
    const timeZone = browserTimeZone();
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
