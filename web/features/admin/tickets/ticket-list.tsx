import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listProposals, type PaymentPair } from '#contract/payments.ts';
import { type AdminTicket, type Decision, exportTickets, listTickets } from '#contract/tickets.ts';
import { ticketQueueAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { useDecisions, withDecision } from '#web/features/admin/shared/decisions.tsx';
import { ExportButton } from '#web/features/admin/shared/export-button.tsx';
import { readNumber, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { browserTimeZone } from '#web/features/admin/shared/time-zone.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { ChoiceBar } from './choice-bar.tsx';
import { RejectDialog, useRejectReasons } from './decision-dialogs.tsx';
import { useSurePayment } from './payment-seen.tsx';
import type { SeenPayment } from './ticket-cells.tsx';
import { TicketDialog } from './ticket-dialog.tsx';
import { TicketFilters, useTicketFilter } from './ticket-filters.tsx';
import { TicketTable } from './ticket-table.tsx';
import { useChoice } from './use-choice.ts';
import { focusedRow, useNextFocus } from './use-next-focus.ts';
import { useStillRows } from './use-still-rows.ts';

/** The administrators' daily work: the tickets, newest first, and their decisions. */
export function TicketList() {
  const { filter, query, set } = useTicketFilter();
  const { values } = useTabSearch();
  const list = useList(listTickets, { query }, { pollEveryMs: pollEveryMs.adminTickets, pageRows: 100 });
  const rows = list.data?.rows ?? [];
  const opened = readNumber(values, 'ticket');
  const decisions = useListDecisions(rows, JSON.stringify(query), opened);
  // Fetched with the tickets, so that the reject dialog opens at its full height.
  useRejectReasons();
  const place = useRef<HTMLDivElement>(null);
  const clearFilters = () => {
    // The pressed button goes with the empty list.
    place.current?.focus({ preventScroll: true });
    set({ recherche: undefined, statut: undefined, periode: undefined, utilisateur: undefined });
  };

  return (
    <>
      <ListTitle query={query} count={list.data && countWords(list.data)} />
      <TicketFilters filter={filter} set={set} />
      <div ref={place} tabIndex={-1} className="outline-none">
        <QueryState
          query={{ ...list, data: list.data && { ...list.data, rows: decisions.tickets } }}
          loading="Chargement des tickets..."
          failure="Impossible de charger les tickets."
          empty={<NoTickets isFiltered={Object.keys(query).length > 0} onClear={clearFilters} />}
        >
          {({ hasMore, total, capped }) => (
            <DecidedRows {...decisions} onOpen={({ id }) => set({ ticket: String(id) }, { step: true })}>
              <p className="mt-3 text-soft">
                {`Affichage de ${formatCount(rows.length)} ticket(s) sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))} au total`}
              </p>
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </DecidedRows>
          )}
        </QueryState>
      </div>
      {opened && (
        <TicketDialog
          id={opened}
          {...neighboursOf(opened, decisions.tickets)}
          isCovered={decisions.isCovered}
          onGo={(id) => set({ ticket: String(id) })}
          onDecide={decisions.decideOne}
          onClose={() => set({ ticket: undefined })}
        />
      )}
      <Rejecting {...decisions} />
    </>
  );
}

/** The tickets above and below one in the list; none of one that is not listed. */
function neighboursOf(id: number, tickets: readonly AdminTicket[]) {
  const place = tickets.findIndex((ticket) => ticket.id === id);
  return { before: tickets[place - 1]?.id, after: place < 0 ? undefined : tickets[place + 1]?.id };
}

const countWords = ({ total, capped, rows }: { total: number; capped: boolean; rows: readonly unknown[] }) =>
  `${capped ? 'plus de ' : ''}${formatCounted(Math.max(total, rows.length), 'ticket')}`;

function ListTitle({
  query,
  count,
}: Pick<ReturnType<typeof useTicketFilter>, 'query'> & { count: string | undefined }) {
  return (
    <TabTitle
      count={count}
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
  );
}

function NoTickets({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      Icon={TicketIcon}
      title="Aucun ticket trouvé"
      text={
        isFiltered
          ? 'Aucun ticket ne répond à cette recherche. Effacez les filtres pour les revoir tous.'
          : 'Les demandes des visiteurs apparaîtront ici.'
      }
    >
      {isFiltered && <Button onClick={onClear}>Effacer les filtres</Button>}
    </EmptyState>
  );
}

type Decisions = ReturnType<typeof useListDecisions>;

/** The list's tickets as they are decided here, those that are chosen, and the ways to decide them. `key` is the list's query. */
function useListDecisions(rows: readonly AdminTicket[], key: string, opened: number | undefined) {
  const still = useStillRows(rows, key);
  const { waiting, isAsking, decide } = useDecisions();
  const tickets = still.tickets.map((ticket) => withDecision(ticket, waiting.get(ticket.id)));
  const proposals = useEndpoint(listProposals, {}, { pollEveryMs: pollEveryMs.adminPayments }).data;
  const paid = useMemo(() => paidTickets(proposals), [proposals]);
  const choice = useChoice(tickets.filter(({ id }) => !waiting.has(id)));
  const [rejecting, setRejecting] = useState<readonly AdminTicket[]>([]);
  const openedPayment = useSurePayment(opened);
  const isCovered = rejecting.length > 0 || isAsking;
  const { area, goOnAfter, goBackTo } = useNextFocus<HTMLDivElement>(tickets, opened !== undefined || isCovered);
  // Proposals are those of the first payments alone; the dialog shows the payment of its own ticket.
  const isPaid = ({ id }: AdminTicket) => paid.get(id)?.isSure || (id === opened && openedPayment !== undefined);

  const decideAll = (those: readonly AdminTicket[], status: Decision, reason?: string) =>
    decide({
      tickets: those,
      status,
      reason,
      paidIds: those.filter((each) => status === 'approved' && isPaid(each)).map(({ id }) => id),
      onShown() {
        still.hold(those.map((ticket) => withDecision(ticket, { status, reason })));
        goOnAfter(those, those.length > 1 ? 'choice' : status);
        choice.drop(those);
      },
      onBack(ids, isUndone) {
        still.drop(ids);
        if (isUndone) goBackTo(ids);
      },
    });
  const decideOne = (ticket: AdminTicket, status: Decision) => {
    if (status === 'approved') decideAll([ticket], status);
    else setRejecting([ticket]);
  };
  return { tickets, waiting, still, paid, choice, isCovered, rejecting, setRejecting, area, decideAll, decideOne };
}

function DecidedRows({
  onOpen,
  children,
  ...decisions
}: Decisions & { onOpen: (ticket: AdminTicket) => void; children: ReactNode }) {
  const { still, choice, setRejecting, decideAll } = decisions;
  const { chosen } = choice;
  return (
    <div
      ref={decisions.area}
      className="max-[56.24rem]:pb-20 [--head-top:3.5rem] short:[--head-top:0px] lg:[--head-top:0px]"
      // A finger leaves with each tap.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && still.release(focusedRow())}
    >
      <TicketTable
        tickets={decisions.tickets}
        waiting={decisions.waiting}
        chosen={choice.ids}
        isAllChosen={choice.isAll}
        done={still.done}
        paid={decisions.paid}
        onChoose={choice.choose}
        onChooseAll={choice.chooseAll}
        choiceBar={
          chosen.length > 0 && (
            <ChoiceBar
              chosen={chosen}
              onApprove={() => decideAll(chosen, 'approved')}
              onReject={() => setRejecting(chosen)}
              onClear={choice.clear}
            />
          )
        }
        onOpen={onOpen}
        onDecide={decisions.decideOne}
      />
      {children}
    </div>
  );
}

function Rejecting({ rejecting, setRejecting, paid, decideAll }: Decisions) {
  if (rejecting.length === 0) return null;
  return (
    <RejectDialog
      tickets={rejecting}
      seen={rejecting.flatMap(({ id }) => paid.get(id) ?? []).flatMap(({ isSure, gross }) => (isSure ? gross : []))}
      onClose={() => setRejecting([])}
      onReject={(reason) => {
        setRejecting([]);
        decideAll(rejecting, 'rejected', reason);
      }}
    />
  );
}

/** The tickets that payments are proposed for; of several the sure one counts. */
function paidTickets(proposals: ResponseOf<typeof listProposals> | undefined): ReadonlyMap<number, SeenPayment> {
  const { sure = [], doubtful = [] } = proposals ?? {};
  const seen = (pairs: readonly PaymentPair[], isSure: boolean) =>
    pairs.map(
      ({ ticket, line: { gross }, evidence, doubts }) => [ticket.id, { isSure, gross, evidence, doubts }] as const,
    );
  return new Map([...seen(doubtful, false), ...seen(sure, true)]);
}
