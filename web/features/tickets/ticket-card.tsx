import { type ComponentProps, memo, useEffect, useRef } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { ticketAnchor, ticketDetailAddress } from '#web/addresses.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { Link } from '#web/router.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { formatDate, formatDayAndHour, formatTotal, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { WaitingSince } from '#web/tickets/decision-time.tsx';
import { DeclaredPayment, isDeclared, PaymentAction } from '#web/tickets/payment-action.tsx';
import { FreshTick } from '#web/tickets/status-news.tsx';
import { isPaidByContact, TicketCode } from '#web/tickets/ticket-code.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { OrderAgainAction, ReceiptAction, useTicketDialogs } from './ticket-actions.tsx';

const small = 'text-small text-soft';
const foot = 'flex flex-wrap items-center justify-between gap-x-1';

/** A person's ticket, folded once decided. Memoized: a poll that changes other tickets does not render it. */
export const TicketCard = memo(function TicketCard({ ticket }: { ticket: Ticket }) {
  const anchor = ticketAnchor(ticket.id);
  const isTarget = location.hash === `#${anchor}`;
  const card = useRef<HTMLDivElement>(null);
  const { dialog, ...actions } = useTicketDialogs(ticket);
  const { heading, around } = useFocusFallback();
  useEffect(() => {
    if (isTarget) card.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  return (
    <div ref={card} id={anchor} className={join('group rounded-card', isTarget && 'ring-2 ring-leaf')} {...around}>
      {ticket.status === 'pending' ? (
        <Waiting ticket={ticket} heading={heading} onDeclare={actions.onDeclare} />
      ) : (
        <Decided ticket={ticket} heading={heading} isOpen={isTarget} onReceipt={actions.onReceipt} />
      )}
      {dialog}
    </div>
  );
});

interface Shown {
  ticket: Ticket;
  /** Of the heading that takes a lost focus. */
  heading: ComponentProps<'h3'>;
}

/** On a desk its code and buttons stand on one row, between what it waits for and its details. */
function Waiting({ ticket, heading, onDeclare }: Shown & { onDeclare: () => void }) {
  const payment = <PaymentAction ticket={ticket} onOpen={onDeclare} />;
  return (
    <div className="ticket">
      <div className="px-3.5 pt-3 pb-2.5">
        <Head ticket={ticket} heading={heading} />
        <Path names={ticket.servicePath.slice(0, -1).map(({ name }) => name)} />
      </div>
      <div className="px-3.5 pt-3 pb-1 lg:grid lg:pb-3 lg:grid-cols-[1fr_minmax(0,34rem)_auto] lg:items-center lg:gap-x-4">
        <div className="flex flex-col gap-2 empty:hidden lg:col-start-2 lg:row-start-1">
          {isDeclared(ticket) ? (
            <DeclaredPayment ticket={ticket} />
          ) : ticket.dialCode || isPaidByContact(ticket) ? (
            <TicketCode
              card
              ticket={ticket}
              of={`le code du ticket n°\u00a0${ticket.id}`}
              contact={<ContactButton tight ticketId={ticket.id} />}
              beside={payment}
            />
          ) : (
            payment
          )}
        </div>
        <div className={join(foot, 'mt-1 lg:contents')}>
          <p className={join(small, 'min-w-0 flex-1 basis-40 text-balance leading-snug lg:col-start-1 lg:row-start-1')}>
            <span>
              Paiement&nbsp;: {ticket.paymentTypeName} · <Hour instant={ticket.createdAt} />
            </span>
            {!isDeclared(ticket) && (
              <span className="block">
                <WaitingSince instant={ticket.createdAt} />
              </span>
            )}
          </p>
          <DetailsLink id={ticket.id} />
        </div>
      </div>
    </div>
  );
}

function Decided({ ticket, heading, isOpen, onReceipt }: Shown & { isOpen: boolean; onReceipt: () => void }) {
  const above = ticket.servicePath.map(({ name }) => name);
  const name = above.pop() ?? '';
  return (
    <details open={isOpen} className={join(cardClass, 'group')}>
      <summary className="list-none rounded-card px-3.5 py-2.5 [&::-webkit-details-marker]:hidden">
        <div className="flex items-center gap-2 sm:gap-3">
          <div className="hidden [--family-pale:var(--color-ground)] sm:block">
            <ServicePicture service={{ name, pictureUrl: null }} above={above} size="small" />
          </div>
          <div className="min-w-0 flex-1">
            <Head ticket={ticket} heading={heading} above={above.join(' → ')} />
          </div>
          <ChevronIcon className="-mr-1 size-5 shrink-0 transform-[rotate(90deg)] text-leaf group-open:transform-[rotate(-90deg)]" />
        </div>
        {ticket.rejectReason && (
          <p className="text-brick text-small sm:pl-13">{`Motif\u00a0: ${ticket.rejectReason}`}</p>
        )}
      </summary>
      <div className="px-3.5 pb-1">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 border-line border-t pt-2.5 text-small *:odd:text-soft">
          <dt>Chemin</dt>
          <dd>{ticket.servicePath.map(({ name }) => name).join(' → ')}</dd>
          <dt>Paiement</dt>
          <dd>{ticket.paymentTypeName}</dd>
          <dt>Date</dt>
          <dd>{formatDate(ticket.createdAt)}</dd>
        </dl>
        <div className={join(foot, 'lg:justify-start')}>
          <OrderAgainAction ticket={ticket} />
          {ticket.status === 'approved' && <ReceiptAction ticket={ticket} onOpen={onReceipt} />}
          <DetailsLink id={ticket.id} />
        </div>
      </div>
    </details>
  );
}

/** The service and its total, then its number and status, at one right edge in all cards; with large text below it. */
function Head({
  ticket,
  heading,
  above,
}: Shown & { /** The path of one that is folded, which a desk shows. */ above?: string }) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  const row = 'flex flex-wrap items-baseline justify-end gap-x-2';
  const left = 'min-w-0 flex-1 basis-32';
  return (
    <>
      <div className={row}>
        <h3 {...heading} className={join(left, 'font-bold text-large leading-snug outline-offset-0')}>
          <span className="sr-only">{`Ticket n°\u00a0${ticket.id}\u00a0: `}</span>
          <FreshTick of={ticket} />
          <span>{keepUnits(ticket.servicePath.at(-1)?.name ?? '')}</span>
        </h3>
        <p className="max-w-40 text-right font-bold font-display text-large tabular-nums leading-snug">
          {spaceAmount(formatTotal(Number(ticket.totalPrice), ticket.servicePath))}
        </p>
      </div>
      <div className={row}>
        <p className={join(small, left, 'tabular-nums')}>
          <span>
            {`n°\u00a0${ticket.id} · `}
            <span className={join(above !== undefined && 'max-sm:hidden')}>pour&nbsp;</span>
            <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
          </span>
          {above !== undefined && (
            <span>
              <span> · </span>
              <Hour instant={ticket.createdAt} />
              {above && <span className="max-lg:hidden">{` · ${above}`}</span>}
            </span>
          )}
        </p>
        <Badge tone={tone}>{label}</Badge>
      </div>
    </>
  );
}

/** The levels above a service on one line, the nearest last. */
function Path({ names }: { names: string[] }) {
  return (
    <p title={names.join(' → ')} className={join(small, 'truncate')}>
      {names.slice(-2).join(' → ')}
    </p>
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

function DetailsLink({ id }: { id: number }) {
  return (
    <Link
      href={ticketDetailAddress(id)}
      className={buttonClass({ variant: 'quiet', tight: true }, '-mr-3 lg:col-start-3 lg:row-start-1')}
    >
      Détails<span className="sr-only">{` du ticket n°\u00a0${id}`}</span>
    </Link>
  );
}
