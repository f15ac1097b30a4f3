import { type CSSProperties, useMemo, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listProposals, type PaymentPair } from '#contract/payments.ts';
import { type AdminTicket, type Decision, type DecisionResult, exportTickets, listTickets } from '#contract/tickets.ts';
import { ticketQueueAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { ExportButton } from '#web/features/admin/shared/export-button.tsx';
import { ResultsDialog } from '#web/features/admin/shared/results-dialog.tsx';
import { readNumber, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { browserTimeZone } from '#web/features/admin/shared/time-zone.ts';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount, formatCounted } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { RejectDialog, useRejectReasons } from './decision-dialogs.tsx';
import { useSureLine } from './payment-seen.tsx';
import { TicketDialog } from './ticket-dialog.tsx';
import { ownerOf, serviceOf, totalOf } from './ticket-facts.tsx';
import { TicketFilters, useTicketFilter } from './ticket-filters.tsx';
import { type SeenPayment, TicketTable } from './ticket-table.tsx';
import { useChoice } from './use-choice.ts';
import { useDecide } from './use-decide.ts';
import { focusedRow, useNextFocus } from './use-next-focus.ts';
import { useStillRows } from './use-still-rows.ts';

/** The administrators' daily work: the tickets, newest first, and their decisions. */
export function TicketList() {
  const { filter, query, set } = useTicketFilter();
  const { values } = useTabSearch();
  const isFiltered = Object.keys(query).length > 0;
  const list = useList(listTickets, { query }, { pollEveryMs: pollEveryMs.adminTickets, pageRows: 100 });
  const rows = list.data?.rows ?? [];
  const still = useStillRows(rows, JSON.stringify(query));
  const { tickets } = still;
  // Fetched with the tickets, so that the reject dialog opens at its full height.
  useRejectReasons();
  const proposals = useEndpoint(listProposals, {}, { pollEveryMs: pollEveryMs.adminPayments }).data;
  const paid = useMemo(() => paidTickets(proposals), [proposals]);
  const choice = useChoice(tickets);
  const { chosen } = choice;
  const [rejecting, setRejecting] = useState<AdminTicket[]>([]);
  const [results, setResults] = useState<DecisionResult[]>();
  const place = useRef<HTMLDivElement>(null);
  const opened = readNumber(values, 'ticket');
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
      still.hold(decided);
      goOnAfter(decided, status);
    },
  });

  const decideOne = (ticket: AdminTicket, status: Decision) => {
    if (decide.one.busy.has(ticket.id)) return;
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
            <ExportButton
              endpoint={exportTickets}
              query={{ ...query, timeZone: browserTimeZone() }}
              nameNow={() => `tickets_export_${dayOf(new Date())}.xlsx`}
              counted="ticket exporté"
            />
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
          onClose={() => set({ ticket: undefined })}
        />
      )}
      {rejecting[0] && (
        <RejectDialog
          title={
            rejecting.length > 1
              ? `Rejeter ${rejecting.length} tickets`
              : `Rejeter le ticket n°\u00a0${rejecting[0].id}`
          }
          note={rejecting.length > 1 ? undefined : summaryOf(rejecting[0])}
          onClose={() => setRejecting([])}
          onReject={reject}
        />
      )}
      {results && (
        <ResultsDialog
          title={`${formatCounted(results.filter(({ outcome }) => outcome === 'changed').length, 'ticket')} mis à jour sur ${formatCount(results.length)}`}
          label="Résultat par ticket"
          rows={results.map((each) => ({ ...each, name: `n°\u00a0${formatCount(each.id)}` }))}
          onClose={() => setResults(undefined)}
        />
      )}
    </>
  );
}

/** The tickets that payments are proposed for; of several the sure one counts. */
function paidTickets(proposals: ResponseOf<typeof listProposals> | undefined): ReadonlyMap<number, SeenPayment> {
  const { sure = [], doubtful = [] } = proposals ?? {};
  const seen = (pairs: readonly PaymentPair[], isSure: boolean) =>
    pairs.map(({ ticket, evidence, doubts }) => [ticket.id, { isSure, evidence, doubts }] as const);
  return new Map([...seen(doubtful, false), ...seen(sure, true)]);
}

const summaryOf = (ticket: AdminTicket) => `${serviceOf(ticket)} · ${totalOf(ticket)} · ${ownerOf(ticket)}`;

/** What is chosen, and the decisions of all of it. */
function ChoiceBar({
  chosen,
  busy,
  onApprove,
  onReject,
  onClear,
}: {
  chosen: readonly AdminTicket[];
  busy: boolean;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
}) {
  const sum = chosen.reduce((francs, { totalPrice }) => francs + Number(totalPrice), 0);
  const services = new Set(chosen.map(({ servicePath }) => servicePath.at(-1)?.name));
  return (
    <section
      aria-label="Tickets sélectionnés"
      className="sticky top-14 short:top-0 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-card border border-leaf/30 bg-leaf-pale px-3.5 py-2 lg:top-0"
    >
      <p role="status" className="flex flex-1 flex-wrap gap-x-3 tabular-nums">
        <strong className="whitespace-nowrap font-semibold">{formatCounted(chosen.length, 'sélectionné')}</strong>
        <span className="max-sm:text-body">
          <span className="whitespace-nowrap">{formatAmount(sum)}</span> ·{' '}
          <span className="whitespace-nowrap">{formatCounted(services.size, 'service')}</span>
        </span>
      </p>
      <Button variant="quiet" small onClick={onClear}>
        Désélectionner
      </Button>
      <Button small className="grow max-sm:basis-[45%] sm:grow-0" busy={busy} onClick={onApprove}>
        Approuver
      </Button>
      <Button variant="danger" small className="grow max-sm:basis-[45%] sm:grow-0" busy={busy} onClick={onReject}>
        Rejeter
      </Button>
    </section>
  );
}
