import { type ComponentProps, memo } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { ticketDetailAddress } from '#web/addresses.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { Link } from '#web/router.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { formatDate, formatDayAndHour } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { withoutReason } from '#web/tickets/decision-news.ts';
import { Since } from '#web/tickets/decision-time.tsx';
import { DeclaredPayment, isDeclared, PaymentAction } from '#web/tickets/payment-action.tsx';
import { FreshTick } from '#web/tickets/status-news.tsx';
import { OrderAgainAction, ReceiptAction, useTicketDialogs } from '#web/tickets/ticket-actions.tsx';
import { isPaidByContact, TicketCode } from '#web/tickets/ticket-code.tsx';
import { edgeRow, nameOf, pathAbove, TicketHead, Total } from '#web/tickets/ticket-head.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

const small = 'text-small text-soft leading-snug';

interface Props {
  ticket: Ticket;
  /** Of a decided one. */
  isOpen: boolean;
  onToggle: (id: number, isOpen: boolean) => void;
}

/** A person's ticket, a row once decided. Memoized: a poll that changes other tickets does not render it. */
export const TicketCard = memo(function TicketCard({ ticket, isOpen, onToggle }: Props) {
  const { dialog, ...actions } = useTicketDialogs(ticket);
  const { heading, around } = useFocusFallback();
  return (
    <div id={`ticket-${ticket.id}`} className="rounded-card" {...around}>
      {ticket.status === 'pending' ? (
        <Waiting ticket={ticket} heading={heading} onDeclare={actions.onDeclare} />
      ) : (
        <Decided ticket={ticket} heading={heading} isOpen={isOpen} onToggle={onToggle} onReceipt={actions.onReceipt} />
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

function Waiting({ ticket, heading, onDeclare }: Shown & { onDeclare: () => void }) {
  const payment = <PaymentAction ticket={ticket} onOpen={onDeclare} />;
  const isToPay = ticket.dialCode !== null || isPaidByContact(ticket);
  const above = pathAbove(ticket);
  return (
    <div className="@container">
      <div className="ticket">
        <div className="px-4 pt-3 pb-2.5">
          <TicketHead ticket={ticket} level="h3" heading={heading} name={<Name ticket={ticket} />}>
            <TicketNumber id={ticket.id} />
            &nbsp;· <Hour instant={ticket.createdAt} />
            &nbsp;· <span className="inline-block">{ticket.paymentTypeName}</span>
          </TicketHead>
          <div className={join(edgeRow, small, 'items-end!')}>
            <div className="min-w-0 flex-1 basis-40">
              <p>
                pour&nbsp;
                <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
              </p>
              {above && <p>{above}</p>}
            </div>
            <DetailsLink id={ticket.id} />
          </div>
        </div>
        <div className={join('flex flex-col gap-2.5 px-4 pt-4', isDeclared(ticket) ? 'pb-1' : 'pb-3')}>
          {isDeclared(ticket) ? (
            <DeclaredPayment ticket={ticket} />
          ) : (
            <>
              {isToPay ? (
                <TicketCode
                  ticket={ticket}
                  of={`le code du ticket n°\u00a0${ticket.id}`}
                  contact={<ContactButton tight ticketId={ticket.id} />}
                  beside={payment}
                />
              ) : (
                payment
              )}
              <p className={join(small, 'text-center')}>
                {ticket.dialCode ? (
                  "Payez, puis touchez «\u00a0J'ai payé\u00a0»."
                ) : (
                  <span>
                    En attente <Since instant={ticket.createdAt} />
                  </span>
                )}
              </p>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function Decided({
  ticket,
  heading,
  isOpen,
  onToggle,
  onReceipt,
}: Shown & Omit<Props, 'ticket'> & { onReceipt: () => void }) {
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => onToggle(ticket.id, currentTarget.open)}>
      <summary className="list-none rounded-card -outline-offset-4 [&::-webkit-details-marker]:hidden">
        <Row ticket={ticket} heading={heading} />
      </summary>
      <div className="px-[calc(1rem-1px)] pb-1">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 border-line border-t pt-2.5 text-small *:odd:text-soft @max-[15rem]:grid-cols-1 @max-[15rem]:*:even:-mt-1.5">
          {ticket.status === 'rejected' && (
            <>
              <dt>Motif</dt>
              <dd className="text-brick">{ticket.rejectReason ?? withoutReason}</dd>
            </>
          )}
          <dt>Ticket</dt>
          <dd>
            <TicketNumber id={ticket.id} />
          </dd>
          <dt>Chemin</dt>
          <dd>{ticket.servicePath.map(({ name }) => name).join(' → ')}</dd>
          <dt>Bénéficiaire</dt>
          <dd>
            <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
          </dd>
          <dt>Paiement</dt>
          <dd>{ticket.paymentTypeName}</dd>
          <dt>Date</dt>
          <dd>{formatDate(ticket.createdAt)}</dd>
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-x-1 @4xl:justify-start">
          <OrderAgainAction ticket={ticket} />
          {ticket.status === 'approved' && <ReceiptAction ticket={ticket} onOpen={onReceipt} />}
          <DetailsLink id={ticket.id} />
        </div>
      </div>
    </details>
  );
}

/** What a decided ticket shows while it is folded, at one height; on a desk each fact has its column. */
function Row({ ticket, heading }: Shown) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  const left = 'min-w-0 flex-1 basis-24';
  const line = join(small, left, 'truncate tabular-nums');
  return (
    <div className="flex min-h-16 items-center gap-3 px-[calc(1rem-1px)] py-1 @4xl:grid @4xl:grid-cols-[2.5rem_minmax(0,1fr)_3rem_7.5rem_12rem_8rem_5.5rem] @4xl:gap-x-4">
      <div className="[--family-pale:var(--color-ground)] @max-[10rem]:hidden">
        <ServicePicture
          service={{ name: nameOf(ticket), pictureUrl: null }}
          above={ticket.servicePath.slice(0, -1).map(({ name }) => name)}
          size="small"
        />
      </div>
      <div className="min-w-0 flex-1 @4xl:contents">
        <div className={join(edgeRow, '@4xl:contents')}>
          <div className={left}>
            <h3 {...heading} className="line-clamp-2 font-semibold text-[1rem] leading-[1.15] outline-offset-0">
              <FreshTick of={ticket} />
              <Name ticket={ticket} />
            </h3>
            <p className={join(small, 'hidden truncate @4xl:block')}>{pathAbove(ticket)}</p>
          </div>
          <Total ticket={ticket} className="@4xl:order-1" />
        </div>
        <div className={join(edgeRow, '@4xl:contents')}>
          {ticket.status === 'rejected' ? (
            <p className={join(line, 'text-brick! in-[[open]]:invisible @4xl:col-span-3')}>
              {ticket.rejectReason ? `Motif\u00a0: ${ticket.rejectReason}` : withoutReason}
            </p>
          ) : (
            <p className={join(line, '@4xl:contents')}>
              <Hour instant={ticket.createdAt} />
              <span className="@4xl:hidden"> · </span>
              <span className="@4xl:truncate">{ticket.paymentTypeName}</span>
              <span className="@4xl:hidden"> · </span>
              <span className="@4xl:truncate">
                <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
              </span>
            </p>
          )}
          <span className="@4xl:order-1 @4xl:justify-self-end">
            <Badge tone={tone}>{label}</Badge>
          </span>
        </div>
      </div>
    </div>
  );
}

/** A ticket's service, with its number for screen readers. */
function Name({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <span className="sr-only">{`Ticket n°\u00a0${ticket.id}\u00a0: `}</span>
      <span>{nameOf(ticket)}</span>
    </>
  );
}

const TicketNumber = ({ id }: { id: number }) => <span className="whitespace-nowrap">{`n°\u00a0${id}`}</span>;

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
    <Link href={ticketDetailAddress(id)} className={buttonClass({ variant: 'quiet', tight: true }, '-mr-3 -my-2.5')}>
      Détails<span className="sr-only">{` du ticket n°\u00a0${id}`}</span>
    </Link>
  );
}
