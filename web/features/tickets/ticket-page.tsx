import { type OwnTicketDetail, readOwnTicket } from '#contract/tickets.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { goBack, useSubject } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { Missing } from '#web/shell/not-found-page.tsx';
import { formatAmount, formatDate, formatTotal, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { UsualTime, WaitingSince } from '#web/tickets/decision-time.tsx';
import { DeclaredPayment, isDeclared, PaymentAction } from '#web/tickets/payment-action.tsx';
import { FreshTick } from '#web/tickets/status-news.tsx';
import { isPaidByContact, TicketCode } from '#web/tickets/ticket-code.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { CodeReport } from './code-report.tsx';
import { OrderAgainAction, ReceiptAction, useTicketDialogs } from './ticket-actions.tsx';
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

function Detail({ id }: { id: string }) {
  const query = useEndpoint(readOwnTicket, { params: { id } }, { pollEveryMs: pollEveryMs.userTickets, keep: true });
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return missing;
  return (
    <QueryState
      query={query}
      loading="Chargement du ticket..."
      skeleton={<SkeletonText text="Chargement du ticket..." />}
      failure="Impossible de charger le ticket."
    >
      {(ticket) => (
        <div className="flex max-w-2xl flex-col gap-3 lg:grid lg:max-w-none lg:grid-cols-2 lg:items-start">
          <Now ticket={ticket} />
          <div className="flex flex-col gap-3">
            <Card>
              <h2 className="mb-3 font-bold">Historique</h2>
              <TicketTimeline ticket={ticket} />
            </Card>
            <Agreed ticket={ticket} />
          </div>
        </div>
      )}
    </QueryState>
  );
}

/** The order, its status and the available actions; on a phone on its side its first action is in sight. */
function Now({ ticket }: { ticket: OwnTicketDetail }) {
  const { dialog, onDeclare, onReceipt } = useTicketDialogs(ticket);
  const { heading, around } = useFocusFallback();
  const { label, tone } = ticketStatusLabel(ticket.status);
  const names = ticket.servicePath.map(({ name }) => keepUnits(name));
  const above = names.slice(0, -1).join(' → ');
  const isRejected = ticket.status === 'rejected';
  const hasContact = ticket.status === 'pending' && !isDeclared(ticket) && isPaidByContact(ticket);
  return (
    <div {...around}>
      <div className="ticket">
        <div className="p-4 sm:p-5">
          <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
            <h2 {...heading} className="min-w-0 flex-1 basis-40 font-bold text-large leading-snug">
              <FreshTick of={ticket} />
              <span>{names.at(-1)}</span>
            </h2>
            <Badge tone={tone}>{label}</Badge>
          </div>
          {above && <p className="text-soft text-small">{above}</p>}
          <div className="mt-2 flex flex-wrap items-baseline justify-between gap-x-3">
            <p>
              Pour <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
            </p>
            <p className="font-bold font-display text-title tabular-nums leading-tight">
              {spaceAmount(formatTotal(Number(ticket.totalPrice), ticket.servicePath))}
            </p>
          </div>
        </div>
        <div className="flex flex-col gap-4 p-4 sm:p-5">
          {isRejected && ticket.rejectReason && (
            <p className="rounded-xl bg-brick-pale px-3 py-2 text-brick">{`Motif\u00a0: ${ticket.rejectReason}`}</p>
          )}
          {ticket.status === 'pending' ? (
            <Pending ticket={ticket} onDeclare={onDeclare} />
          ) : (
            <div className="flex flex-col gap-2.5">
              <OrderAgainAction ticket={ticket} whole />
              {ticket.status === 'approved' && <ReceiptAction ticket={ticket} whole onOpen={onReceipt} />}
            </div>
          )}
          {/* Who paid and was rejected asks where the money is. */}
          {isRejected ? (
            <ContactButton tight variant="outline" ticketId={ticket.id} />
          ) : (
            <div className="-my-2 flex flex-wrap justify-center gap-x-1">
              {ticket.status === 'pending' && <CodeReport ticket={ticket} />}
              {!hasContact && <ContactButton tight variant="quiet" className="px-2! text-small" ticketId={ticket.id} />}
            </div>
          )}
        </div>
      </div>
      {dialog}
    </div>
  );
}

/** What is left to do: to pay, then to wait. */
function Pending({ ticket, onDeclare }: { ticket: OwnTicketDetail; onDeclare: () => void }) {
  if (isDeclared(ticket)) return <DeclaredPayment ticket={ticket} onOpen={onDeclare} />;
  return (
    <>
      <TicketCode inRow ticket={ticket} contact={<ContactButton ticketId={ticket.id} />} />
      <div className="flex flex-col gap-2.5">
        <PaymentAction ticket={ticket} onOpen={onDeclare} />
        <p className="text-center text-small text-soft">
          <WaitingSince instant={ticket.createdAt} />
          <UsualTime after=". " isToPay={ticket.dialCode !== null} />
        </p>
      </div>
    </>
  );
}

function Agreed({ ticket }: { ticket: OwnTicketDetail }) {
  return (
    <Card>
      <h2 className="mb-3 font-bold">Votre demande</h2>
      <Facts>
        <Fact name="Bénéficiaire">
          <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
        </Fact>
        <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
        <Fact name="Date">{formatDate(ticket.createdAt)}</Fact>
        {Number(ticket.totalPrice) > 0 && (
          <>
            <Fact name="Prix">{formatAmount(ticket.amount)}</Fact>
            <Fact name="Commission">{formatAmount(ticket.commission)}</Fact>
          </>
        )}
        <Fact name="Total" main>
          {spaceAmount(formatTotal(Number(ticket.totalPrice), ticket.servicePath))}
        </Fact>
      </Facts>
    </Card>
  );
}
