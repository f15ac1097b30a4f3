import { type ReactNode, useRef, useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import type { Ticket } from '#contract/tickets.ts';
import { addresses, ticketDetailAddress } from '#web/addresses.ts';
import { useOrderAgain } from '#web/order-again.ts';
import { Link } from '#web/router.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { formatAmount, formatCounted, spaceAmount } from '#web/text/formats.ts';
import { DeclaredSince } from '#web/tickets/decision-time.tsx';
import type { TypedPayments } from '#web/tickets/payment-dialog.tsx';
import { FreshTick, useFresh } from '#web/tickets/status-news.tsx';
import { DialLink, isPaidByContact, isWithheld, useMayDial } from '#web/tickets/ticket-code.tsx';
import { nameOf, totalOf } from '#web/tickets/ticket-head.tsx';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { join } from '#web/ui/join.ts';
import { useNow } from '#web/ui/use-now.ts';
import { AgainList } from './again-list.tsx';
import { mendableMs, ordersAgain, unpaidShown } from './limits.ts';
import { lastOrders, ordersToMend, splitWaiting } from './own-orders.ts';
import { RowList } from './service-lists.tsx';
import { WaitingTicket } from './waiting-ticket.tsx';

/** What home does not wait for on a slow connection. */
const paymentDialog = part<{ ticket: Ticket; ownPhone: string; typed: TypedPayments; onClose: () => void }>(() =>
  import('#web/tickets/payment-dialog.tsx').then(({ PaymentDialog }) => ({ default: PaymentDialog })),
);

/** A person's requests by what they ask for: to pay, to wait, to repeat. On a desk the last stand beside the others. */
export function OwnRequests({
  tickets,
  catalogue,
  ownPhone,
}: {
  tickets: Ticket[];
  catalogue: Service[] | undefined;
  ownPhone: string;
}) {
  const { toPay, declared, uncoded } = splitWaiting(tickets);
  const [first, ...others] = toPay;
  const fresh = useFresh();
  const approved = tickets.filter(({ id, status }) => status === 'approved' && fresh.has(id));
  const toMend = ordersToMend(tickets, useNow() - mendableMs);
  const earlier = lastOrders(tickets, ordersAgain);
  const waits = toPay.length + declared.length + uncoded.length + approved.length + toMend.length > 0;
  const isPair = waits && earlier.length > 0;
  // Another ticket may come first while one declares the payment of this one.
  const [declaringId, setDeclaringId] = useState<number>();
  const typed: TypedPayments = useRef({});
  const declaring = tickets.find(({ id }) => id === declaringId);
  return (
    <div className={join('flex flex-col gap-5', isPair && 'lg:grid lg:grid-cols-2 lg:items-start')}>
      {waits && (
        <div className="flex flex-col gap-2.5">
          {first && <WaitingTicket key={first.id} ticket={first} onDeclare={() => setDeclaringId(first.id)} />}
          {others.length > 0 && <UnpaidList tickets={others} />}
          {approved.length + declared.length + toMend.length + uncoded.length > 0 && (
            <section aria-label="Suivi de vos demandes">
              <RowList single>
                {approved.map((ticket) => (
                  <ApprovedLine key={ticket.id} ticket={ticket} />
                ))}
                {declared.length > 0 && <DeclaredLine tickets={declared} />}
                {toMend.map((ticket) => (
                  <RejectedLine key={ticket.id} ticket={ticket} />
                ))}
                {uncoded.length > 0 && <UncodedLine tickets={uncoded} />}
              </RowList>
            </section>
          )}
        </div>
      )}
      {earlier.length > 0 && <AgainList tickets={earlier} catalogue={catalogue} beside={isPair} />}
      {declaring && (
        <Chunk
          of={paymentDialog}
          given={{ ticket: declaring, ownPhone, typed, onClose: () => setDeclaringId(undefined) }}
          waiting={null}
        />
      )}
    </div>
  );
}

/** A row of home: its edges are those of a ticket. */
const lineClass =
  'flex min-h-16 w-full min-w-0 items-center gap-3 px-[calc(1rem-1px)] py-2 leading-snug -outline-offset-4';
const lineName = 'line-clamp-2 min-w-0 font-semibold text-[1rem] leading-tight';

/** Other requests to pay, each with the way to its code. */
function UnpaidList({ tickets }: { tickets: Ticket[] }) {
  const mayDial = useMayDial();
  const more = tickets.length - unpaidShown;
  return (
    <section aria-label="Autres demandes à payer">
      <RowList single>
        {tickets.slice(0, unpaidShown).map((ticket) => {
          const { id, dialCode, beneficiaryPhoneNumber: phone } = ticket;
          const of = `le code du ticket n°\u00a0${id}`;
          return (
            <div key={id} className={join(lineClass, 'flex-wrap gap-y-1')}>
              <Link href={ticketDetailAddress(id)} className="min-w-0 flex-1 basis-32 hover:underline">
                <span className={lineName}>{nameOf(ticket)}</span>
                <span className="block text-small text-soft tabular-nums">
                  <strong className="whitespace-nowrap text-ink">{totalOf(ticket)}</strong> ·{' '}
                  <span className="inline-block">
                    pour&nbsp;
                    <Beneficiary short phone={phone} />
                  </span>
                </span>
              </Link>
              {mayDial && dialCode && !isWithheld(dialCode) ? (
                <DialLink tight variant="outline" code={dialCode} of={of} />
              ) : (
                <Link href={ticketDetailAddress(id)} className={buttonClass({ variant: 'outline', tight: true })}>
                  <span>
                    Voir le code<span className="sr-only">{` du ticket n°\u00a0${id}`}</span>
                  </span>
                </Link>
              )}
            </div>
          );
        })}
        {more > 0 && (
          <Link
            href={addresses.tickets}
            className="flex min-h-11 w-full items-center px-[calc(1rem-1px)] font-semibold text-leaf -outline-offset-4 hover:bg-leaf-pale/40"
          >
            {more === 1 ? 'Une autre demande à payer' : `${more} autres demandes à payer`}
          </Link>
        )}
      </RowList>
    </section>
  );
}

/** A request that asks for nothing now: what it is and costs, and how it stands. */
function Line({
  href,
  mark,
  name,
  total,
  children,
}: {
  href: string;
  mark: ReactNode;
  name: string;
  total?: string;
  children: ReactNode;
}) {
  return (
    <Link href={href} className={join(lineClass, 'hover:bg-leaf-pale/40')}>
      {mark}
      <LineWords name={name} total={total}>
        {children}
      </LineWords>
    </Link>
  );
}

function LineWords({ name, total, children }: { name: string; total?: string | undefined; children: ReactNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className={lineName}>{name}</span>
        {total && (
          <span className="whitespace-nowrap font-bold font-display text-[1rem] tabular-nums leading-tight">
            {spaceAmount(total)}
          </span>
        )}
      </span>
      <span className="block text-small text-soft">{children}</span>
    </span>
  );
}

const markClass = 'flex size-9 shrink-0 items-center justify-center rounded-full';

function DeclaredLine({ tickets }: { tickets: Ticket[] }) {
  const [newest, ...others] = tickets;
  if (!newest) return null;
  const sum = tickets.reduce((total, { totalPrice }) => total + Number(totalPrice), 0);
  const isOne = others.length === 0;
  return (
    <Line
      href={isOne ? ticketDetailAddress(newest.id) : addresses.tickets}
      mark={
        <span className={join(markClass, 'bg-leaf-pale text-leaf-dark')}>
          <CheckIcon className="size-5" />
        </span>
      }
      name={isOne ? nameOf(newest) : formatCounted(tickets.length, 'paiement déclaré')}
      total={isOne ? totalOf(newest) : formatAmount(sum)}
    >
      {isOne ? (
        <span>
          <DeclaredSince instant={newest.paymentDeclaredAt ?? newest.updatedAt} />
          <span>, vérification en cours</span>
        </span>
      ) : (
        'Vérification en cours'
      )}
    </Line>
  );
}

function UncodedLine({ tickets }: { tickets: Ticket[] }) {
  const [newest, ...others] = tickets;
  if (!newest) return null;
  const isOne = others.length === 0;
  return (
    <Line
      href={isOne ? ticketDetailAddress(newest.id) : addresses.tickets}
      mark={<span className={join(markClass, 'bg-amber-pale font-bold text-amber')}>…</span>}
      name={isOne ? nameOf(newest) : formatCounted(tickets.length, 'demande')}
      {...(isOne && { total: totalOf(newest) })}
    >
      {tickets.some(isPaidByContact) ? (
        <span>Pas de code&nbsp;: contactez-nous pour payer</span>
      ) : (
        <span>En attente, rien à composer&nbsp;: un agent s'en occupe</span>
      )}
    </Line>
  );
}

/** A request that was approved a moment ago, on this screen. */
function ApprovedLine({ ticket }: { ticket: Ticket }) {
  return (
    <Line
      href={ticketDetailAddress(ticket.id)}
      mark={<FreshTick tall of={ticket} />}
      name={nameOf(ticket)}
      total={totalOf(ticket)}
    >
      <strong className="text-leaf-dark">Approuvé</strong>
    </Line>
  );
}

/** A request that was rejected, why, and the way to make it right. */
function RejectedLine({ ticket }: { ticket: Ticket }) {
  const again = useOrderAgain();
  const { id, rejectReason, paymentDeclaredAt } = ticket;
  return (
    <div className={join(lineClass, 'flex-wrap gap-y-1')}>
      <Link href={ticketDetailAddress(id)} className="flex min-w-0 flex-1 basis-40 items-center gap-3 hover:underline">
        <span className={join(markClass, 'bg-brick-pale text-brick')}>
          <CrossIcon className="size-5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className={lineName}>{nameOf(ticket)}</span>
          <span className="line-clamp-2 text-brick text-small">
            {rejectReason ? `Rejeté\u00a0: ${rejectReason}` : 'Rejeté. Aucun motif indiqué.'}
          </span>
        </span>
      </Link>
      {/* Whose declared payment was rejected asks first, on the ticket's page, before paying again. */}
      {paymentDeclaredAt === null && (
        <Button variant="outline" tight busy={again.busy} onClick={() => again.run(ticket)}>
          <span>
            Corriger<span className="sr-only">{` le ticket n°\u00a0${id}`}</span>
          </span>
        </Button>
      )}
    </div>
  );
}
