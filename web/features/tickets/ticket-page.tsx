import { formatPhone } from '#contract/phone.ts';
import { type OwnTicketDetail, readOwnTicket } from '#contract/tickets.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { TicketCode } from '#web/dialling/ticket-code.tsx';
import { goBack, Link, useSubject } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatAmount, formatDate, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { OrderAgainAction, PaymentAction, ReceiptAction, useTicketDialogs } from './ticket-actions.tsx';
import { TicketTimeline } from './ticket-timeline.tsx';

/** A whole ticket: open steps, history and order. */
export default function TicketPage() {
  const id = useSubject();
  const { user } = useAuth();
  const known = /^\d{1,9}$/.test(id) && user && !user.isGuest;
  return (
    <Column>
      <PageTitle onBack={() => goBack(addresses.tickets)}>{known ? `Ticket n° ${Number(id)}` : 'Ticket'}</PageTitle>
      {known ? <Detail key={id} id={id} /> : <NotFound />}
    </Column>
  );
}

function NotFound() {
  return (
    <EmptyState Icon={SearchIcon} title="Ticket introuvable">
      <Link href={addresses.tickets} className={buttonClass({ variant: 'plain' })}>
        Retour aux tickets
      </Link>
    </EmptyState>
  );
}

function Detail({ id }: { id: string }) {
  const query = useEndpoint(readOwnTicket, { params: { id } }, { pollEveryMs: pollEveryMs.userTickets, keep: true });
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound />;
  return (
    <QueryState
      query={query}
      loading="Chargement du ticket..."
      skeleton={<SkeletonText text="Chargement du ticket..." />}
      failure="Impossible de charger le ticket."
    >
      {(ticket) => (
        <div className="flex flex-col gap-3">
          <Now ticket={ticket} />
          <Card>
            <h2 className="mb-3 font-bold">Historique</h2>
            <TicketTimeline ticket={ticket} />
          </Card>
          <Agreed ticket={ticket} />
        </div>
      )}
    </QueryState>
  );
}

/** The order, its status and the available actions. */
function Now({ ticket }: { ticket: OwnTicketDetail }) {
  const { dialog, onDeclare, onReceipt } = useTicketDialogs(ticket);
  const { label, tone } = ticketStatusLabel(ticket.status);
  const names = ticket.servicePath.map(({ name }) => name);
  const above = names.slice(0, -1).join(' → ');
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
          <h2 className="min-w-0 flex-1 basis-40 font-bold text-lg leading-snug">{names.at(-1)}</h2>
          <Badge tone={tone}>{label}</Badge>
        </div>
        {above && <p className="mt-1 text-soft text-sm">{above}</p>}
      </div>
      <p className="font-bold text-2xl tabular-nums">{formatTotal(Number(ticket.totalPrice), ticket.servicePath)}</p>
      {ticket.status === 'rejected' && ticket.rejectReason && (
        <p className="rounded-xl bg-brick-pale px-3 py-2 text-brick">Motif : {ticket.rejectReason}</p>
      )}
      {ticket.status === 'pending' && <TicketCode ticket={ticket} />}
      <div className="flex flex-col gap-2.5">
        {ticket.status === 'pending' ? (
          <PaymentAction ticket={ticket} whole onOpen={onDeclare} />
        ) : (
          <>
            <OrderAgainAction ticket={ticket} whole />
            {ticket.status === 'approved' && <ReceiptAction ticket={ticket} whole onOpen={onReceipt} />}
          </>
        )}
      </div>
      {dialog}
    </Card>
  );
}

function Agreed({ ticket }: { ticket: OwnTicketDetail }) {
  return (
    <Card>
      <h2 className="mb-3 font-bold">Votre demande</h2>
      <Facts>
        <Fact name="Bénéficiaire">{formatPhone(ticket.beneficiaryPhoneNumber)}</Fact>
        <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
        <Fact name="Date">{formatDate(ticket.createdAt)}</Fact>
        {Number(ticket.totalPrice) > 0 && (
          <>
            <Fact name="Prix">{formatAmount(ticket.amount)}</Fact>
            <Fact name="Commission">{formatAmount(ticket.commission)}</Fact>
          </>
        )}
        <Fact name="Total" main>
          {formatTotal(Number(ticket.totalPrice), ticket.servicePath)}
        </Fact>
      </Facts>
    </Card>
  );
}
