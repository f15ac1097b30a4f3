import { type AdminTicket, type Decision, readTicket, type TicketDetail } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CloseFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { useDecisions, withDecision } from '#web/features/admin/shared/decisions.tsx';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { Key, useKeys } from '#web/features/admin/shared/keys.tsx';
import { StatusBadge } from '#web/features/admin/shared/status-badge.tsx';
import { formatAmount, formatCount, formatDate, spaceAmount } from '#web/text/formats.ts';
import { ticketHistory, ticketStatusLabel } from '#web/text/tickets.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { ChevronIcon, TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { PaymentSeen, useTicketPayment } from './payment-seen.tsx';
import { OrderFacts, pathAbove, totalOf, UsedReference } from './ticket-facts.tsx';

interface Props {
  id: number;
  /** Its neighbours in the list. */
  before: number | undefined;
  after: number | undefined;
  /** Another dialog is over it, which has the keys. */
  isCovered: boolean;
  onGo: (id: number) => void;
  onDecide: (ticket: AdminTicket, status: Decision) => void;
  onClose: () => void;
}

/** A whole ticket: the order, the code to dial and its history, kept current; J and K lead to the next and the previous one. */
export function TicketDialog({ id, before, after, isCovered, onGo, onDecide, onClose }: Props) {
  const query = useEndpoint(readTicket, { params: { id: String(id) } }, { pollEveryMs: pollEveryMs.adminTickets });
  const payment = useTicketPayment(id);
  // The ticket waits for its payment, which stands above the buttons: none moves under the finger.
  const isWaiting = payment.isPending && !payment.isPaused;
  // A decision disables the pressed button.
  const { heading: close, around } = useFocusFallback<HTMLButtonElement>();
  const deciding = useDecisions().waiting.get(id);
  const ticket = isWaiting || !query.data ? undefined : withDecision(query.data, deciding);
  const status = ticket?.status;
  const isDecided = status !== undefined && status !== 'pending';
  const service = query.data?.servicePath.at(-1)?.name;
  useKeys(
    (key) => {
      const to = key === 'j' ? after : key === 'k' ? before : undefined;
      if (to !== undefined && !isCovered) onGo(to);
    },
    { inDialogs: true },
  );
  if (hasCode(query.error, 'TICKET_NOT_FOUND'))
    return (
      <Dialog addressed title="Ticket introuvable" onClose={onClose}>
        <EmptyState Icon={TicketIcon} title={`Il n'y a pas de ticket n°\u00a0${formatCount(id)}.`} />
        <CloseFoot onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog wide addressed title={`Ticket n°\u00a0${id}${service ? ` · ${service}` : ''}`} onClose={onClose}>
      <QueryState
        query={{ ...query, data: ticket, isPending: query.isPending || isWaiting }}
        loading="Chargement du ticket..."
        // As tall as the content, so that the sheet does not grow under the finger.
        skeleton={
          <div className="min-h-[calc(0.85*var(--screen))] pt-3 md:min-h-96">
            <SkeletonText text="Chargement du ticket..." />
          </div>
        }
        failure="Ce ticket n'a pas pu être chargé."
      >
        {(shown) => <Detail ticket={shown} isWaiting={deciding !== undefined} />}
      </QueryState>
      {/* All three from the start: none moves when the ticket comes. */}
      <DialogButtons {...around} className="mt-5 max-sm:[&>button]:px-2">
        {(before !== undefined || after !== undefined) && (
          <span className="mr-auto flex gap-2 max-sm:hidden">
            <Neighbour name="Ticket précédent" letter="K" id={before} onGo={onGo} />
            <Neighbour name="Ticket suivant" letter="J" id={after} onGo={onGo} />
          </span>
        )}
        <Button ref={close.ref} variant="plain" tight onClick={onClose}>
          Fermer
        </Button>
        {(['approved', 'rejected'] as const).map((decision) => (
          <Button
            key={decision}
            variant={isDecided ? 'plain' : decision === 'approved' ? 'main' : 'danger'}
            tight
            disabled={!ticket || deciding !== undefined || status === decision}
            {...deliberate(() => ticket && onDecide(ticket, decision))}
          >
            {decision === 'approved' ? 'Approuver' : 'Rejeter'}
          </Button>
        ))}
      </DialogButtons>
    </Dialog>
  );
}

function Neighbour({
  name,
  letter,
  id,
  onGo,
}: { name: string; letter: string; id: number | undefined } & Pick<Props, 'onGo'>) {
  return (
    <Button
      variant="plain"
      tight
      aria-label={name}
      title={name}
      disabled={id === undefined}
      onClick={() => id !== undefined && onGo(id)}
    >
      <ChevronIcon className={join('size-5', letter === 'K' && 'transform-[rotate(180deg)]')} /> <Key>{letter}</Key>
    </Button>
  );
}

function Detail({ ticket, isWaiting }: { ticket: TicketDetail; isWaiting: boolean }) {
  const above = pathAbove(ticket);
  return (
    <>
      {above && <p className="mt-1 text-soft">{above}</p>}
      <UsedReference ticket={ticket} />
      <div className="mt-4 grid gap-x-8 gap-y-5 short:mt-3 sm:grid-cols-2 short:[&_dl]:gap-0.5">
        <Facts>
          <Fact name="Statut">
            <StatusBadge status={ticket.status} isWaiting={isWaiting} />
          </Fact>
          {ticket.rejectReason && <Fact name="Motif">{ticket.rejectReason}</Fact>}
          <OrderFacts ticket={ticket} />
          {ticket.user?.email && <Fact name="E-mail">{ticket.user.email}</Fact>}
          {ticket.earlierReferences.length > 0 && (
            <Fact name="Avant celle-ci">
              <span className="break-all font-mono">{ticket.earlierReferences.join(', ')}</span>
            </Fact>
          )}
          {Number(ticket.totalPrice) > 0 && (
            <>
              <Fact name="Prix">{formatAmount(ticket.amount)}</Fact>
              <Fact name="Commission">{formatAmount(ticket.commission)}</Fact>
            </>
          )}
          <Fact name="Total" main>
            {spaceAmount(totalOf(ticket))}
          </Fact>
        </Facts>
        <div className="flex flex-col gap-4">
          <PaymentSeen ticket={ticket} />
          {ticket.dialCode && (
            <div>
              <h3 className="font-semibold">Code à composer</h3>
              <p className="mt-1">
                <span className="break-all font-mono">{ticket.dialCode}</span>{' '}
                <CopyBeside text={ticket.dialCode} of="le code" />
              </p>
            </div>
          )}
          <History ticket={ticket} />
        </div>
      </div>
    </>
  );
}

function History({ ticket }: { ticket: TicketDetail }) {
  return (
    <div>
      <h3 className="font-semibold">Historique</h3>
      <ol className="mt-2 ml-1.5 flex flex-col gap-3 border-line border-l-2 pl-4">
        {ticketHistory(ticket).map(({ at, event }) => (
          <li key={event?.id ?? 'declared'} className="relative">
            <span
              aria-hidden="true"
              className={join(
                'absolute top-1 -left-6 size-3.5 rounded-full',
                event?.status === 'rejected' ? 'bg-brick' : 'bg-leaf',
              )}
            />
            <p className="font-medium">{event ? ticketStatusLabel(event.status).label : 'Paiement déclaré'}</p>
            <p className="text-soft text-small">
              {`${formatDate(at)}${event?.actor ? `, par ${event.actor.firstName} ${event.actor.lastName}` : ''}`}
            </p>
            {event?.reason && <p className="text-body">{`Motif\u00a0: ${event.reason}`}</p>}
            {!event && ticket.paymentReference && (
              <p className="text-body">
                Référence&nbsp;: <span className="select-all break-all font-mono">{ticket.paymentReference}</span>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
