import { memo, type ReactNode, useEffect, useRef } from 'react';
import { formatPhone } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { ticketAnchor, ticketDetailAddress } from '#web/addresses.ts';
import { TicketCode } from '#web/dialling/ticket-code.tsx';
import { Link } from '#web/router.tsx';
import { formatDate, formatDayAndHour, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { OrderAgainAction, PaymentAction, ReceiptAction, useTicketDialogs } from './ticket-actions.tsx';

const small = 'text-[0.8125rem] text-soft';

/**
 * A person's ticket: open steps while pending, folded once decided. Memoized: a poll that changes other tickets does
 * not render it.
 */
export const TicketCard = memo(function TicketCard({ ticket }: { ticket: Ticket }) {
  const anchor = ticketAnchor(ticket.id);
  const isTarget = location.hash === `#${anchor}`;
  const card = useRef<HTMLDivElement>(null);
  const { dialog, ...actions } = useTicketDialogs(ticket);
  useEffect(() => {
    if (isTarget) card.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  return (
    <div ref={card} id={anchor} className={join(cardClass, 'px-3.5 pt-3 pb-1', isTarget && 'ring-2 ring-leaf')}>
      {ticket.status === 'pending' ? (
        <Waiting ticket={ticket} onDeclare={actions.onDeclare} />
      ) : (
        <Decided ticket={ticket} isOpen={isTarget} onReceipt={actions.onReceipt} />
      )}
      {dialog}
    </div>
  );
});

function Waiting({ ticket, onDeclare }: { ticket: Ticket; onDeclare: () => void }) {
  const above = ticket.servicePath.slice(0, -1).map(({ name }) => name);
  return (
    <>
      <Head ticket={ticket} under={above.join(' → ')} />
      <p className={join(small, 'mt-1.5')}>
        Pour <span className="whitespace-nowrap tabular-nums">{formatPhone(ticket.beneficiaryPhoneNumber)}</span> ·{' '}
        {ticket.paymentTypeName} · <Hour instant={ticket.createdAt} />
      </p>
      <div className="mt-2.5 empty:hidden">
        <TicketCode compact ticket={ticket} of={`le code du ticket n° ${ticket.id}`} />
      </div>
      <Foot>
        <PaymentAction ticket={ticket} onOpen={onDeclare} />
        <DetailsLink id={ticket.id} />
      </Foot>
    </>
  );
}

function Decided({ ticket, isOpen, onReceipt }: { ticket: Ticket; isOpen: boolean; onReceipt: () => void }) {
  const isApproved = ticket.status === 'approved';
  return (
    <>
      <details open={isOpen} className="group">
        <summary className="list-none rounded-lg [&::-webkit-details-marker]:hidden">
          <Head ticket={ticket} under={formatPhone(ticket.beneficiaryPhoneNumber)} isFolded />
          {ticket.rejectReason && <p className="mt-1.5 mb-2 text-brick text-sm">Motif : {ticket.rejectReason}</p>}
        </summary>
        <div className="mt-1 border-line border-t pt-2.5">
          <div className="text-sm">
            <Facts>
              <Fact long name="Chemin">
                {ticket.servicePath.map(({ name }) => name).join(' → ')}
              </Fact>
              <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
              <Fact name="Date">{formatDate(ticket.createdAt)}</Fact>
            </Facts>
          </div>
          <Foot>
            {isApproved ? <span /> : <OrderAgainAction ticket={ticket} />}
            <DetailsLink id={ticket.id} />
          </Foot>
        </div>
      </details>
      {isApproved && (
        <Foot>
          <OrderAgainAction ticket={ticket} />
          <ReceiptAction ticket={ticket} onOpen={onReceipt} />
        </Foot>
      )}
    </>
  );
}

/** The service beside its status and total; below it with large text. */
function Head({ ticket, under, isFolded }: { ticket: Ticket; under: string; isFolded?: boolean }) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-32">
        <h3 className="font-bold leading-snug">
          <span className="sr-only">Ticket n° {ticket.id} : </span>
          {ticket.servicePath.at(-1)?.name}
        </h3>
        <p className={join(small, 'tabular-nums', isFolded && 'truncate')}>
          n° {ticket.id}
          {under && ` · ${under}`}
        </p>
      </div>
      <div className="ml-auto flex max-w-40 flex-col items-end gap-1 text-right">
        <Badge tone={tone} small>
          {label}
        </Badge>
        <p className="font-bold text-sm tabular-nums">
          {formatTotal(Number(ticket.totalPrice), ticket.servicePath)}
          {isFolded && (
            <ChevronIcon className="ml-1 inline size-4 rotate-90 align-[-0.15em] text-edge group-open:-rotate-90" />
          )}
        </p>
      </div>
    </div>
  );
}

/** '14:02' under its day's heading, with the day for screen readers. */
function Hour({ instant }: { instant: string }) {
  const { hour } = formatDayAndHour(instant);
  return (
    <time dateTime={instant} title={formatDate(instant)} className="whitespace-nowrap tabular-nums">
      <span className="sr-only">{formatDate(instant).slice(0, -hour.length)}</span>
      {hour}
    </time>
  );
}

function Foot({ children }: { children: ReactNode }) {
  return <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3">{children}</div>;
}

function DetailsLink({ id }: { id: number }) {
  return (
    <Link
      href={ticketDetailAddress(id)}
      className="-mr-2 ml-auto inline-flex min-h-12 items-center rounded-xl px-2 text-soft hover:bg-ground"
    >
      Détails<span className="sr-only"> du ticket n° {id}</span>
    </Link>
  );
}
