import { type ComponentProps, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type AdminTicket, type Decision, listTickets } from '#contract/tickets.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { useDecisions } from '#web/features/admin/shared/decisions.tsx';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { Key, useKeys } from '#web/features/admin/shared/keys.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { queueSkeleton } from '#web/features/admin/shared/skeletons.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { formatCount, formatDate, spaceAmount } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { ChevronIcon, TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { isFocusLost } from '#web/ui/use-focus-fallback.ts';
import { useNow } from '#web/ui/use-now.ts';
import { DecidedElsewhere, useDecisionElsewhere } from './decided-elsewhere.tsx';
import { RejectDialog, useRejectReasons } from './decision-dialogs.tsx';
import { PaymentSeen, usePreparedPayment, useSurePayment } from './payment-seen.tsx';
import { OrderFacts, ownerOf, pathAbove, serviceOf, totalOf, UsedReference } from './ticket-facts.tsx';

/** Rows of the list beside the ticket. */
const nextShown = 6;
/** More reasons than digits are in the table's dialog. */
const reasonsShown = 9;

/** The pending tickets one at a time, the oldest first, decided by keys (P16.15). */
export function TicketQueue() {
  const list = useList(
    listTickets,
    { query: { status: 'pending', order: 'oldest' } },
    { pollEveryMs: pollEveryMs.adminTickets, pageRows: 50 },
  );
  const { waiting } = useDecisions();
  const tickets = (list.data?.rows ?? []).filter(({ id, status }) => status === 'pending' && !waiting.has(id));
  const decidedHere = (list.data?.rows.length ?? 0) - tickets.length;
  // It stays until its person goes on, whoever decides it meanwhile.
  const [held, hold] = useState<AdminTicket>();
  if (!held && tickets[0]) hold(tickets[0]);
  // The ticket goes with the last decision.
  const area = useRef<HTMLDivElement>(null);
  // Before a frame without a focus is drawn.
  useLayoutEffect(() => {
    void held;
    if (isFocusLost()) (area.current?.querySelector('h2') ?? area.current)?.focus({ preventScroll: true });
  }, [held]);
  return (
    <div ref={area} tabIndex={-1} className="flex flex-col outline-none">
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
        query={{ ...list, data: list.data && { ...list.data, rows: held ? [held] : [] } }}
        loading="Chargement des tickets..."
        skeleton={queueSkeleton}
        failure="Impossible de charger les tickets."
        empty={<EmptyState Icon={TicketIcon} title="Aucun ticket en attente" />}
      >
        {({ total, capped, hasMore, rows: [shown] }) =>
          shown && (
            <Desk
              tickets={tickets}
              total={`${capped ? 'plus de ' : ''}${formatCount(Math.max(total - decidedHere, tickets.length))}`}
              held={shown}
              onHold={hold}
              hasMore={hasMore}
              more={list.more}
              onMore={list.loadMore}
            />
          )
        }
      </QueryState>
    </div>
  );
}

function Desk({
  tickets,
  total,
  held,
  onHold,
  ...more
}: {
  tickets: readonly AdminTicket[];
  total: string;
  held: AdminTicket;
  onHold: (ticket: AdminTicket | undefined) => void;
} & ComponentProps<typeof ListFoot>) {
  const heading = useRef<HTMLHeadingElement>(null);
  const place = usePlace(tickets, held);
  const { ticket, number, next } = place;
  const elsewhere = useDecisionElsewhere(number ? undefined : ticket.id);
  const canDecide = number !== undefined || elsewhere === 'waits';
  const decision = useDeskDecision(place, canDecide, onHold);
  const { rejecting, setRejecting, decide } = decision;
  useLayoutEffect(() => {
    if (!rejecting) heading.current?.focus({ preventScroll: true });
    void ticket.id;
  }, [ticket.id, rejecting]);
  usePreparedPayment(next[0]?.id);
  return (
    // As high as the screen at least, with a place kept for the bar: it stands at one height, whatever the ticket has.
    <div className="-mb-10 grid min-h-[calc(var(--screen)-7.5rem)] grid-cols-1 grid-rows-[auto_auto_minmax(clamp(4.5rem,(18rem-100vw)*99,11rem),1fr)] items-start gap-4 lg:min-h-[calc(var(--screen)-5.5rem)] lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card className="col-start-1 row-start-1 flex flex-col gap-4">
        <p className="text-soft text-small">
          <span>{number ? `${number} sur ${total}` : 'Déjà décidé'}</span>
          <span>{` · ticket n°\u00a0${formatCount(ticket.id)}`}</span>
        </p>
        {elsewhere && elsewhere !== 'waits' && <DecidedElsewhere {...elsewhere} />}
        <QueuedTicket ticket={ticket} heading={heading} waits={canDecide} />
      </Card>
      <DecisionBar {...place} {...decision} />
      <div className="col-start-1 row-start-2 lg:col-start-2 lg:row-span-3 lg:row-start-1">
        {next.length > 0 ? <Next tickets={next} onGo={onHold} /> : <ListFoot {...more} />}
      </div>
      {rejecting === 'dialog' && (
        <RejectDialog
          tickets={[ticket]}
          seen={[]}
          onClose={() => setRejecting(undefined)}
          onReject={(reason) => {
            setRejecting(undefined);
            decide('rejected', reason);
          }}
        />
      )}
    </div>
  );
}

type Place = ReturnType<typeof usePlace>;

/** The held ticket with its number among those that wait, and its neighbours. One that waits no more keeps its place. */
function usePlace(tickets: readonly AdminTicket[], held: AdminTicket) {
  const lastPlace = useRef(0);
  const found = tickets.findIndex(({ id }) => id === held.id);
  const place = found >= 0 ? found : Math.min(lastPlace.current, tickets.length);
  lastPlace.current = place;
  const nextPlace = found >= 0 ? place + 1 : place;
  return {
    ticket: tickets[found] ?? held,
    number: found >= 0 ? found + 1 : undefined,
    before: tickets[place - 1],
    after: tickets[nextPlace],
    next: tickets.slice(nextPlace, nextPlace + nextShown),
  };
}

type Deciding = ReturnType<typeof useDeskDecision>;

/** Decides the held ticket, by the buttons or by the keys, and goes on to the next one. */
function useDeskDecision(
  { ticket, before, after }: Place,
  canDecide: boolean,
  onHold: (ticket: AdminTicket | undefined) => void,
) {
  const [rejecting, setRejecting] = useState<'reasons' | 'dialog'>();
  const reasons = useRejectReasons().slice(0, reasonsShown);
  useEffect(() => {
    setRejecting(undefined);
    void ticket.id;
  }, [ticket.id]);
  const payment = useSurePayment(ticket.id);
  const decisions = useDecisions();
  const decide = (status: Decision, reason?: string) =>
    canDecide &&
    decisions.decide({
      tickets: [ticket],
      status,
      reason,
      paidIds: status === 'approved' && payment ? [ticket.id] : [],
      onShown: () => onHold(after ?? before),
      onBack: (_, isUndone) => isUndone && onHold(ticket),
    });
  // A payment that was seen is told first, in a dialog.
  const reject = () => canDecide && setRejecting(payment ? 'dialog' : 'reasons');
  useKeys((key) => {
    if (key === 'j' && after) onHold(after);
    else if (key === 'k' && before) onHold(before);
    else if (rejecting) {
      if (key === 'escape') setRejecting(undefined);
      else if (key === 'm') setRejecting('dialog');
      else if (key === '0') decide('rejected');
      else if (/^[1-9]$/.test(key) && reasons[Number(key) - 1]) decide('rejected', reasons[Number(key) - 1]);
    } else if (key === 'a') decide('approved');
    else if (key === 'r') reject();
  });
  return { canDecide, onHold, rejecting, setRejecting, reasons, decide, reject };
}

function DecisionBar({ before, after, onHold, decide, setRejecting, ...decision }: Place & Deciding) {
  const button = { tight: true, disabled: !decision.canDecide };
  return (
    <div className="foot-bar @container sticky bottom-[min(0px,(100vw-18rem)*99)] z-10 col-start-1 row-span-3 row-start-1 -mx-3 self-end border-line border-t bg-card px-3 py-2.5 shadow-[0_-4px_12px_rgb(30_41_59/0.06)] sm:mx-0 sm:rounded-t-card sm:border-x sm:px-4">
      {decision.rejecting === 'reasons' ? (
        <ReasonChoice
          reasons={decision.reasons}
          onChoose={(reason) => decide('rejected', reason)}
          onOwnWords={() => setRejecting('dialog')}
          onBack={() => setRejecting(undefined)}
        />
      ) : (
        <div className="flex flex-wrap gap-2 sm:gap-2.5">
          <Button {...button} className="grow-[3] @min-[34rem]:basis-36" {...deliberate(() => decide('approved'))}>
            Approuver <Key>A</Key>
          </Button>
          <Button
            {...button}
            variant="danger"
            className="grow-[2] @min-[34rem]:basis-28"
            {...deliberate(decision.reject)}
          >
            Rejeter <Key>R</Key>
          </Button>
          <Step words="Précédent" letter="K" disabled={!before} onClick={() => onHold(before)} />
          <Step words="Suivant" letter="J" disabled={!after} onClick={() => onHold(after)} />
        </div>
      )}
    </div>
  );
}

/** The tickets after this one. */
function Next({ tickets, onGo }: { tickets: readonly AdminTicket[]; onGo: (ticket: AdminTicket) => void }) {
  return (
    <Card>
      <h3 className="font-semibold">Ensuite</h3>
      <ol className="mt-1">
        {tickets.map((each) => (
          <li key={each.id} className="border-line border-b last:border-b-0">
            <button
              type="button"
              className="flex min-h-14 w-full flex-wrap items-center justify-between gap-x-3 py-2 text-left"
              onClick={() => onGo(each)}
            >
              <span className="min-w-0 flex-1 basis-32">
                <span className="wrap-anywhere block font-medium">{serviceOf(each)}</span>
                <span className="block text-soft text-small">{ownerOf(each)}</span>
              </span>
              <span className="ml-auto text-right">
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
  );
}

/** To a neighbour in the queue: in a narrow bar an arrow. */
function Step({
  words,
  letter,
  ...button
}: { words: 'Précédent' | 'Suivant'; letter: string } & ComponentProps<typeof Button>) {
  return (
    <Button
      variant="plain"
      tight
      className="grow @max-[34rem]:order-first @max-[34rem]:last:order-none @max-[34rem]:grow-0 @min-[34rem]:basis-24"
      {...button}
    >
      <ChevronIcon
        className={join('size-5 @min-[34rem]:hidden', words === 'Précédent' && 'transform-[rotate(180deg)]')}
      />
      <span className="@max-[34rem]:sr-only">{words}</span> <Key>{letter}</Key>
    </Button>
  );
}

function QueuedTicket({
  ticket,
  heading,
  waits,
}: {
  ticket: AdminTicket;
  heading: RefObject<HTMLHeadingElement | null>;
  waits: boolean;
}) {
  const above = pathAbove(ticket);
  return (
    <>
      <div className="border-line border-b pb-4">
        {/* On a phone the amount has a line of its own. */}
        <div className="flex items-baseline justify-between gap-x-6 gap-y-1 max-sm:flex-col">
          <h2
            ref={heading}
            tabIndex={-1}
            aria-label={`Ticket n°\u00a0${ticket.id}, ${serviceOf(ticket)}`}
            className="wrap-anywhere min-w-0 font-bold text-large outline-none"
          >
            {serviceOf(ticket)}
          </h2>
          <p className="shrink-0 font-bold font-display text-title tabular-nums">{spaceAmount(totalOf(ticket))}</p>
        </div>
        {above && <p className="wrap-anywhere text-soft text-small">{above}</p>}
      </div>
      <UsedReference ticket={ticket} />
      {/* The values stand in a column beside their names: nothing is read across the card. */}
      {/* What came in stands beside them, where the card has room for both. */}
      <div className="@container">
        <div className="flex flex-col gap-4 @min-[40rem]:grid @min-[40rem]:grid-cols-[minmax(0,1fr)_18rem] @min-[40rem]:items-start">
          <div className="[&_dd]:ml-0 [&_dd]:min-w-0 [&_dd]:text-left [&_dl>div]:flex-nowrap @max-[15rem]:[&_dl>div]:flex-wrap [&_dl>div]:justify-start [&_dl>div]:gap-x-3 [&_dt]:w-25 [&_dt]:shrink-0 lg:[&_dt]:w-28">
            <Facts>
              <OrderFacts ticket={ticket} />
              {ticket.dialCode && (
                <Fact name="Code">
                  <span className="flex items-center gap-2">
                    <span className="min-w-0 break-all font-mono text-small">{ticket.dialCode}</span>
                    <CopyBeside text={ticket.dialCode} of="le code" />
                  </span>
                  {ticket.codeReportedAt && (
                    <span className="block font-medium text-amber text-small">
                      {`Signalé le ${formatDate(ticket.codeReportedAt)}`}
                    </span>
                  )}
                </Fact>
              )}
              <Fact name="Demandé">
                <Moment instant={ticket.createdAt} />
                {waits && (
                  <span className="block font-medium">
                    attend depuis <Wait since={ticket.createdAt} />
                  </span>
                )}
              </Fact>
            </Facts>
          </div>
          <PaymentSeen ticket={ticket} />
        </div>
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
  onOwnWords,
  onBack,
}: {
  reasons: readonly string[];
  onChoose: (reason?: string) => void;
  onOwnWords: () => void;
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
          {...deliberate(() => onChoose(reason))}
        >
          <Key>{reason === undefined ? '0' : String(place + 1)}</Key> <span>{reason ?? 'Sans motif'}</span>
        </Button>
      ))}
      <Button variant="plain" tight className="font-normal!" {...deliberate(onOwnWords)}>
        <Key>M</Key> <span>Autre motif…</span>
      </Button>
      <Button variant="quiet" tight {...deliberate(onBack)}>
        Retour <Key>Échap</Key>
      </Button>
    </fieldset>
  );
}
