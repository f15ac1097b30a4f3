import { useEffect, useRef } from 'react';
import { dialHref } from '#contract/dial-code.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import { formatPhone } from '#contract/phone.ts';
import { listUserTickets, type Ticket } from '#contract/tickets.ts';
import { addresses, ticketAnchor } from '#web/addresses.ts';
import { freshForMs, pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { DialCode } from '#web/dialling/dial-code.tsx';
import { useCopyToast } from '#web/dialling/use-copy-toast.ts';
import { useOrderAgain } from '#web/order-again.ts';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatDate, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { RepeatIcon, TicketIcon } from '#web/ui/icons.tsx';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

export default function TicketsPage() {
  const { user } = useAuth();
  return (
    <Column>
      <PageTitle>Mes Tickets</PageTitle>
      {user && !user.isGuest ? <TicketList userId={user.id} /> : <NoTickets />}
    </Column>
  );
}

function NoTickets() {
  return (
    <EmptyState Icon={TicketIcon} title="Aucun ticket trouvé">
      <Link href={addresses.home} className={buttonClass()}>
        Explorer les services
      </Link>
    </EmptyState>
  );
}

function TicketList({ userId }: { userId: number }) {
  const list = useList(
    listUserTickets,
    { params: { userId: String(userId) } },
    { pollEveryMs: pollEveryMs.userTickets, keep: true },
  );
  const { data: paymentTypes } = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes, keep: true });
  return (
    <QueryState
      query={list}
      loading="Chargement des tickets..."
      skeleton={<SkeletonRows text="Chargement des tickets..." />}
      failure="Impossible de charger vos tickets."
    >
      {({ rows, hasMore }) =>
        rows.length === 0 ? (
          <NoTickets />
        ) : (
          <>
            <ul className="flex flex-col gap-3">
              {rows.map((ticket) => (
                <li key={ticket.id}>
                  <TicketCard
                    ticket={ticket}
                    operator={paymentTypes?.find(({ id }) => id === ticket.paymentTypeId)?.operator}
                  />
                </li>
              ))}
            </ul>
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )
      }
    </QueryState>
  );
}

function TicketCard({ ticket, operator }: { ticket: Ticket; operator: string | null | undefined }) {
  const onCopied = useCopyToast();
  const again = useOrderAgain();
  const { label, tone } = ticketStatusLabel(ticket.status);
  const anchor = ticketAnchor(ticket.id);
  const isTarget = location.hash === `#${anchor}`;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isTarget) card.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  return (
    <div ref={card} id={anchor}>
      <Card className={isTarget ? 'ring-2 ring-leaf' : undefined}>
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <h2 className="font-bold text-lg">Ticket n° {ticket.id}</h2>
          <Badge tone={tone}>{label}</Badge>
        </div>
        <p className="mt-1 text-soft">{ticket.servicePath.map((step) => step.name).join(' → ')}</p>
        <div className="mt-3 text-sm">
          <Facts>
            <Fact name="Bénéficiaire">{formatPhone(ticket.beneficiaryPhoneNumber)}</Fact>
            <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
            <Fact name="Date">{formatDate(ticket.createdAt)}</Fact>
            <Fact name="Total" main>
              {formatTotal(Number(ticket.totalPrice), ticket.servicePath)}
            </Fact>
          </Facts>
        </div>
        {ticket.status === 'rejected' && ticket.rejectReason && (
          <p className="mt-3 rounded-xl bg-brick-pale px-3 py-2 text-brick">Motif : {ticket.rejectReason}</p>
        )}
        {ticket.status === 'approved' && (
          <Button variant="quiet" tight busy={again.busy} onClick={() => again.run(ticket)} className="mt-2 -ml-3">
            <RepeatIcon className="size-5" /> Recommander<span className="sr-only"> le ticket n° {ticket.id}</span>
          </Button>
        )}
        {ticket.status === 'pending' && ticket.dialCode && (
          <div className="mt-4">
            <DialCode
              code={ticket.dialCode}
              href={dialHref(ticket.dialCode)}
              operator={operator}
              of={`le code du ticket n° ${ticket.id}`}
              onCopied={onCopied}
            />
          </div>
        )}
      </Card>
    </div>
  );
}
