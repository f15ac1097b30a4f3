import { listUserTickets, type OwnTicketDetail, readOwnTicket } from '#contract/tickets.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { goBack, useSubject } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { Missing } from '#web/shell/not-found-page.tsx';
import { formatAmount, formatDate } from '#web/text/formats.ts';
import { withoutReason } from '#web/tickets/decision-news.ts';
import { Since, UsualTime } from '#web/tickets/decision-time.tsx';
import { DeclaredPayment, isDeclared, PaymentAction, PaySteps } from '#web/tickets/payment-action.tsx';
import { OrderAgainAction, ReceiptAction, useTicketDialogs } from '#web/tickets/ticket-actions.tsx';
import { isPaidByContact, TicketCode } from '#web/tickets/ticket-code.tsx';
import { pathAbove, TicketHead } from '#web/tickets/ticket-head.tsx';
import { Card } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { CodeReport } from './code-report.tsx';
import { TicketTimeline } from './ticket-timeline.tsx';

/** A whole ticket: open steps, history and order. */
export default function TicketPage() {
  const id = useSubject();
  const { user } = useAuth();
  const known = /^\d{1,9}$/.test(id) && user && !user.isGuest;
  return (
    <Column>
      <PageTitle onBack={() => goBack(addresses.tickets)}>
        {known ? `Ticket n°\u00a0${Number(id)}` : 'Ticket'}
      </PageTitle>
      {known ? <Detail key={id} id={id} /> : missing}
    </Column>
  );
}

const missing = (
  <Missing
    title="Ticket introuvable"
    text="Il a peut-être été supprimé, ou il appartient à un autre compte."
    to={addresses.tickets}
    words="Retour aux tickets"
  />
);

/** A ticket as the list has it, until its own answer comes or without a line: what was decided is its newest event. */
function useListed(id: number): OwnTicketDetail | undefined {
  const { user } = useAuth();
  const { data } = useList(listUserTickets, { params: { userId: String(user?.id) } }, { keep: true, enabled: false });
  const ticket = data?.rows.find((each) => each.id === id);
  if (!ticket) return undefined;
  const created = { id: 0, status: 'pending' as const, reason: null, createdAt: ticket.createdAt };
  const { status, rejectReason: reason, updatedAt: createdAt } = ticket;
  return { ...ticket, events: status === 'pending' ? [created] : [created, { id: 1, status, reason, createdAt }] };
}

function Detail({ id }: { id: string }) {
  const query = useEndpoint(readOwnTicket, { params: { id } }, { pollEveryMs: pollEveryMs.userTickets, keep: true });
  const listed = useListed(Number(id));
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return missing;
  return (
    <QueryState
      query={{ ...query, data: query.data ?? listed }}
      loading="Chargement du ticket..."
      skeleton={<SkeletonText text="Chargement du ticket..." />}
      failure="Impossible de charger le ticket."
    >
      {(ticket) => (
        <div className="flex max-w-2xl flex-col gap-3 lg:grid lg:max-w-none lg:grid-cols-2 lg:items-start">
          <Now ticket={ticket} />
          <Card>
            <h2 className="mb-3 font-bold">Historique</h2>
            <TicketTimeline ticket={ticket} />
          </Card>
        </div>
      )}
    </QueryState>
  );
}

/** The order, its status and the available actions; on a phone on its side its first action is in sight. */
function Now({ ticket }: { ticket: OwnTicketDetail }) {
  const { dialog, onDeclare, onReceipt } = useTicketDialogs(ticket);
  const { heading, around } = useFocusFallback();
  const above = pathAbove(ticket);
  const isPending = ticket.status === 'pending';
  const isRejected = ticket.status === 'rejected';
  // Whose declared payment was rejected asks where the money is, before paying again.
  const mustAsk = isRejected && isDeclared(ticket);
  const hasContact = isPending && !isDeclared(ticket) && isPaidByContact(ticket);
  return (
    <div {...around}>
      <div className="ticket">
        <div className="px-4 pt-3 pb-4">
          <TicketHead ticket={ticket} level="h2" heading={heading}>
            Pour <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
          </TicketHead>
          {above && <p className={small}>{above}</p>}
          <p className={small}>{`${ticket.paymentTypeName} · ${formatDate(ticket.createdAt)}`}</p>
          {ticket.commission > 0 && (
            <p className={small}>
              {`Prix ${formatAmount(ticket.amount)} + commission ${formatAmount(ticket.commission)}`}
            </p>
          )}
        </div>
        <div className="flex flex-col gap-4 p-4">
          {isRejected && (
            <p className="rounded-xl bg-brick-pale px-3 py-2 text-brick">
              {ticket.rejectReason ? `Motif\u00a0: ${ticket.rejectReason}` : withoutReason}
            </p>
          )}
          {isPending ? (
            <Pending ticket={ticket} onDeclare={onDeclare} />
          ) : (
            <div className="flex flex-col gap-2.5">
              {ticket.status === 'approved' && <ReceiptAction ticket={ticket} whole main onOpen={onReceipt} />}
              {mustAsk && (
                <>
                  <p>Vous avez déclaré un paiement&nbsp;: contactez-nous avant de payer à nouveau.</p>
                  <ContactButton tight ticketId={ticket.id} />
                </>
              )}
              <OrderAgainAction ticket={ticket} whole main={isRejected && !mustAsk} />
              {isRejected && !mustAsk && <ContactButton tight variant="outline" ticketId={ticket.id} />}
            </div>
          )}
          {!isRejected && (
            <div className="-my-2 flex flex-wrap justify-center gap-x-1">
              {isPending && <CodeReport ticket={ticket} />}
              {!hasContact && <ContactButton tight variant="quiet" className="px-2! text-small" ticketId={ticket.id} />}
            </div>
          )}
        </div>
      </div>
      {dialog}
    </div>
  );
}

const small = 'text-small text-soft leading-snug';

/** What is left to do: to pay, then to wait. */
function Pending({ ticket, onDeclare }: { ticket: OwnTicketDetail; onDeclare: () => void }) {
  if (isDeclared(ticket)) return <DeclaredPayment ticket={ticket} onOpen={onDeclare} />;
  const payment = <PaymentAction ticket={ticket} onOpen={onDeclare} />;
  if (ticket.dialCode || isPaidByContact(ticket))
    return (
      <>
        <TicketCode ticket={ticket} contact={<ContactButton tight ticketId={ticket.id} />} beside={payment} />
        <PaySteps ticket={ticket} />
      </>
    );
  return (
    <>
      <TicketCode ticket={ticket} />
      {payment}
      <p className={join(small, 'text-center')}>
        <span>
          En attente <Since instant={ticket.createdAt} />.
        </span>
        <UsualTime after=" " />
      </p>
    </>
  );
}
