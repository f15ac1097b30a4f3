import { type ComponentProps, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type AdminTicket, type Decision, listTickets } from '#contract/tickets.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { isFocusLost } from '#web/features/admin/shared/use-fallback-focus.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatDate, spaceAmount } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { ChevronIcon, TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useRejectReasons } from './decision-dialogs.tsx';
import { PaymentSeen, usePreparedPayment, useSureLine } from './payment-seen.tsx';
import { OrderFacts, ownerOf, pathAbove, serviceOf, totalOf, UsedReference } from './ticket-facts.tsx';
import type { DeferredDecision, useDeferredDecisions } from './use-deferred-decisions.ts';

/** Rows of the list beside the ticket. */
const nextShown = 6;
/** More reasons than digits are in the table's dialog. */
const reasonsShown = 9;

/** The pending tickets one at a time, the oldest first, decided by keys (P16.15); each can be taken back for a while. */
export function TicketQueue({ deferred }: { deferred: ReturnType<typeof useDeferredDecisions> }) {
  const list = useList(
    listTickets,
    { query: { status: 'pending', order: 'oldest' } },
    { pollEveryMs: pollEveryMs.adminTickets, pageRows: 50 },
  );
  const [currentId, setCurrentId] = useState<number>();
  const { last } = deferred;
  const undo = () => {
    if (last && deferred.undo(last.ticketId)) setCurrentId(last.ticketId);
  };
  const decided = new Set(deferred.waiting.map(({ ticketId }) => ticketId));
  const tickets = (list.data?.rows ?? []).filter(({ id, status }) => status === 'pending' && !decided.has(id));
  // The button that was pressed goes with its bar, and the ticket with the last decision.
  const area = useRef<HTMLDivElement>(null);
  const isEmpty = list.data !== undefined && tickets.length === 0;
  // Before a frame without a focus is drawn.
  useLayoutEffect(() => {
    if (!isFocusLost()) return;
    void [last?.ticketId, isEmpty];
    (area.current?.querySelector('h2') ?? area.current)?.focus({ preventScroll: true });
  }, [last?.ticketId, isEmpty]);
  return (
    <div ref={area} tabIndex={-1} className="outline-none">
      <TabTitle
        aside={
          <Link href={adminTabAddress('tickets')} className={buttonClass({ variant: 'plain' })}>
            Tableau
          </Link>
        }
      >
        File d'attente
      </TabTitle>
      <QueryState
        query={{ ...list, data: list.data && { ...list.data, rows: tickets } }}
        loading="Chargement des tickets..."
        failure="Impossible de charger les tickets."
        empty={<EmptyState Icon={TicketIcon} title="Aucun ticket en attente" />}
      >
        {({ total, capped, hasMore }) => (
          <Desk
            tickets={tickets}
            total={`${capped ? 'plus de ' : ''}${formatCount(Math.max(total - decided.size, tickets.length))}`}
            currentId={currentId}
            onGo={setCurrentId}
            onDecide={deferred.defer}
            hasMore={hasMore}
            more={list.more}
            onMore={list.loadMore}
          />
        )}
      </QueryState>
      <UndoBar last={last} onUndo={undo} />
    </div>
  );
}

function Desk({
  tickets,
  total,
  currentId,
  onGo,
  onDecide,
  ...more
}: {
  tickets: AdminTicket[];
  total: string;
  /** The first one is shown instead of one that is not there. */
  currentId: number | undefined;
  onGo: (ticketId: number | undefined) => void;
  onDecide: ReturnType<typeof useDeferredDecisions>['defer'];
} & ComponentProps<typeof ListFoot>) {
  const [isRejecting, setRejecting] = useState(false);
  const reasons = useRejectReasons().slice(0, reasonsShown);
  const heading = useRef<HTMLHeadingElement>(null);
  // One that was decided elsewhere gives its place to the next.
  const lastPlace = useRef(0);
  const found = tickets.findIndex(({ id }) => id === currentId);
  const place = found >= 0 ? found : Math.min(lastPlace.current, tickets.length - 1);
  lastPlace.current = place;
  const ticket = tickets[place] as AdminTicket;
  useEffect(() => {
    setRejecting(false);
    void ticket.id;
  }, [ticket.id]);
  useLayoutEffect(() => {
    if (!isRejecting) heading.current?.focus({ preventScroll: true });
    void ticket.id;
  }, [ticket.id, isRejecting]);
  const isLast = place === tickets.length - 1;
  const go = (to: number) => {
    const next = tickets[to];
    if (next) onGo(next.id);
  };
  const lineId = useSureLine(ticket.id);
  const decide = (status: Decision, reason?: string) => {
    onGo(tickets[place + 1]?.id ?? tickets[place - 1]?.id);
    onDecide({ ticketId: ticket.id, status, lineId, ...(reason && { reason }) });
  };
  useQueueKeys((key) => {
    if (key === 'j') go(place + 1);
    else if (key === 'k') go(place - 1);
    else if (isRejecting) {
      if (key === 'escape') setRejecting(false);
      else if (key === '0') decide('rejected');
      else if (/^[1-9]$/.test(key) && reasons[Number(key) - 1]) decide('rejected', reasons[Number(key) - 1]);
    } else if (key === 'a') decide('approved');
    else if (key === 'r') setRejecting(true);
  });
  const next = tickets.slice(place + 1, place + 1 + nextShown);
  usePreparedPayment(next[0]?.id);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card className="flex flex-col gap-4">
        <p className="text-soft text-small">
          <span>{`${place + 1} sur ${total}`}</span>
          <span>{` · ticket n°\u00a0${formatCount(ticket.id)}`}</span>
        </p>
        <QueuedTicket ticket={ticket} heading={heading} />
        {isRejecting ? (
          <ReasonChoice
            reasons={reasons}
            onChoose={(reason) => decide('rejected', reason)}
            onBack={() => setRejecting(false)}
          />
        ) : (
          // On a phone at the foot of the screen, one row under the thumb.
          <div className="queue-bar flex flex-wrap gap-2.5 max-sm:sticky max-sm:bottom-0 max-sm:-mx-4 max-sm:-mb-4 max-sm:gap-2 max-sm:rounded-b-card max-sm:border-line max-sm:border-t max-sm:bg-card max-sm:px-4 max-sm:py-2.5">
            <Button tight className="grow-[3] sm:basis-36" onClick={() => decide('approved')}>
              Approuver <Key>A</Key>
            </Button>
            <Button tight variant="danger" className="grow-[2] sm:basis-28" onClick={() => setRejecting(true)}>
              Rejeter <Key>R</Key>
            </Button>
            <Step words="Précédent" letter="K" disabled={place === 0} onClick={() => go(place - 1)} />
            <Step words="Suivant" letter="J" disabled={isLast} onClick={() => go(place + 1)} />
          </div>
        )}
      </Card>
      {next.length > 0 && (
        <Card>
          <h3 className="font-semibold">Ensuite</h3>
          <ol className="mt-1">
            {next.map((each) => (
              <li key={each.id} className="border-line border-b last:border-b-0">
                <button
                  type="button"
                  className="flex min-h-14 w-full items-center justify-between gap-3 py-2 text-left"
                  onClick={() => onGo(each.id)}
                >
                  <span className="min-w-0">
                    <span className="wrap-anywhere block font-medium">{serviceOf(each)}</span>
                    <span className="block text-soft text-small">{ownerOf(each)}</span>
                  </span>
                  <span className="shrink-0 text-right">
                    <span className="block font-semibold tabular-nums">{totalOf(each)}</span>
                    <span className="block text-soft text-small">
                      <Wait since={each.createdAt} />
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </Card>
      )}
      {next.length === 0 && <ListFoot {...more} />}
    </div>
  );
}

/** To a neighbour in the queue: on a phone an arrow. */
function Step({
  words,
  letter,
  ...button
}: { words: 'Précédent' | 'Suivant'; letter: string } & ComponentProps<typeof Button>) {
  return (
    <Button
      variant="plain"
      tight
      className="grow max-sm:order-first max-sm:last:order-none max-sm:grow-0 sm:basis-24"
      {...button}
    >
      <ChevronIcon className={join('size-5 sm:hidden', words === 'Précédent' && 'transform-[rotate(180deg)]')} />
      <span className="max-sm:sr-only">{words}</span> <Key>{letter}</Key>
    </Button>
  );
}

function QueuedTicket({ ticket, heading }: { ticket: AdminTicket; heading: RefObject<HTMLHeadingElement | null> }) {
  const above = pathAbove(ticket);
  return (
    <>
      <div className="border-line border-b pb-4">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 sm:gap-x-6">
          <h2
            ref={heading}
            tabIndex={-1}
            aria-label={`Ticket n°\u00a0${ticket.id}, ${serviceOf(ticket)}`}
            className="wrap-anywhere min-w-0 flex-1 basis-40 font-bold text-title outline-none"
          >
            {serviceOf(ticket)}
          </h2>
          <p className="font-bold font-display text-title tabular-nums">{spaceAmount(totalOf(ticket))}</p>
        </div>
        {above && <p className="wrap-anywhere text-soft text-small">{above}</p>}
      </div>
      <UsedReference ticket={ticket} />
      {/* The values stand in a column beside their names: nothing is read across the card. */}
      {/* What came in stands beside them: it comes a moment later and moves no button. */}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_18rem] lg:items-start">
        <div className="[&_dd]:ml-0 [&_dd]:min-w-0 [&_dd]:text-left [&_dl>div]:flex-nowrap [&_dl>div]:justify-start [&_dl>div]:gap-x-3 [&_dt]:w-25 [&_dt]:shrink-0 lg:[&_dt]:w-28">
          <Facts>
            <OrderFacts ticket={ticket} />
            {ticket.codeReportedAt && <Fact name="Code">{`Signalé le ${formatDate(ticket.codeReportedAt)}`}</Fact>}
            <Fact name="Demandé">
              <Moment instant={ticket.createdAt} />
              <span className="block font-medium">
                attend depuis <Wait since={ticket.createdAt} />
              </span>
            </Fact>
          </Facts>
        </div>
        <PaymentSeen ticketId={ticket.id} />
      </div>
    </>
  );
}

/** '41 min', '3 h' or '2 j'; the first minute is one. */
function Wait({ since }: { since: string }) {
  const minutes = Math.max(1, Math.floor((useNow() - Date.parse(since)) / 60_000));
  const hours = minutes < 48 * 60 ? `${Math.floor(minutes / 60)}\u00a0h` : `${Math.floor(minutes / 1_440)}\u00a0j`;
  return <span>{minutes < 60 ? `${minutes}\u00a0min` : hours}</span>;
}

function ReasonChoice({
  reasons,
  onChoose,
  onBack,
}: {
  reasons: readonly string[];
  onChoose: (reason?: string) => void;
  onBack: () => void;
}) {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus({ preventScroll: true }), []);
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="mb-2 font-semibold">Motif du rejet</legend>
      {[...reasons, undefined].map((reason, place) => (
        <Button
          key={reason ?? ''}
          ref={place === 0 ? first : undefined}
          variant="plain"
          tight
          className="text-left font-normal!"
          onClick={() => onChoose(reason)}
        >
          <Key>{reason === undefined ? '0' : String(place + 1)}</Key> <span>{reason ?? 'Sans motif'}</span>
        </Button>
      ))}
      <Button variant="quiet" tight onClick={onBack}>
        Retour <Key>Échap</Key>
      </Button>
    </fieldset>
  );
}

/** The key that does the same; screens without one hide it. */
function Key({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="rounded border border-current/40 px-1.5 py-0.5 font-normal text-small max-lg:hidden"
    >
      {children}
    </span>
  );
}

/** The last decision, as long as it can be taken back. */
export function UndoBar({ last, onUndo }: { last: DeferredDecision | undefined; onUndo: () => void }) {
  useQueueKeys((key) => key === 'z' && last && onUndo());
  return (
    <div
      role="status"
      className="sticky bottom-4 z-20 mt-4 flex justify-center empty:hidden max-sm:in-[html:has(.queue-bar)]:bottom-22"
    >
      {last && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-xl bg-raised px-4 py-2 text-white shadow-xl">
          <p>
            {`Ticket n°\u00a0${last.ticketId} ${last.status === 'approved' ? 'approuvé' : 'rejeté'}. La personne sera prévenue dans quelques secondes.`}
          </p>
          <button type="button" className="min-h-11 font-semibold underline underline-offset-4" onClick={onUndo}>
            Annuler <Key>Z</Key>
          </button>
        </div>
      )}
    </div>
  );
}

/** Hears single keys, in lower case, unless a field or a dialog has them; those with a modifier are the browser's. */
function useQueueKeys(onKey: (key: string) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key, target, repeat, ctrlKey, metaKey, altKey, isComposing } = event;
      if (repeat || ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]')) return;
      latest.current(key.toLowerCase());
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}
