import { type ReactNode, useRef, useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { formatPhone } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { addresses, ticketDetailAddress } from '#web/addresses.ts';
import { Link } from '#web/router.tsx';
import { useBeneficiaryNames } from '#web/session/beneficiaries.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { formatAmount, formatCounted, formatTotal, keepUnits } from '#web/text/formats.ts';
import { DeclaredSince } from '#web/tickets/decision-time.tsx';
import type { TypedPayments } from '#web/tickets/payment-dialog.tsx';
import { FreshTick, useFresh } from '#web/tickets/status-news.tsx';
import { DialLink, isPaidByContact, isWithheld, useMayDial } from '#web/tickets/ticket-code.tsx';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { AgainList } from './again-list.tsx';
import { ordersAgain, unpaidShown } from './limits.ts';
import { lastOrders, splitWaiting } from './own-orders.ts';
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
  const decided = tickets.filter(({ id, status }) => status !== 'pending' && fresh.has(id));
  const earlier = lastOrders(tickets, ordersAgain);
  const waits = toPay.length + declared.length + uncoded.length + decided.length > 0;
  const isPair = waits && earlier.length > 0;
  // Another ticket may come first while one declares the payment of this one.
  const [declaringId, setDeclaringId] = useState<number>();
  const typed: TypedPayments = useRef({});
  const declaring = tickets.find(({ id }) => id === declaringId);
  return (
    <div className={join('flex flex-col gap-5', isPair && 'lg:grid lg:grid-cols-2 lg:items-start')}>
      {waits && (
        <div className="flex flex-col gap-2.5">
          {first && (
            <WaitingTicket
              key={first.id}
              ticket={first}
              ownPhone={ownPhone}
              onDeclare={() => setDeclaringId(first.id)}
            />
          )}
          {others.length > 0 && <UnpaidList tickets={others} ownPhone={ownPhone} />}
          {decided.length + declared.length + uncoded.length > 0 && (
            <section aria-label="Suivi de vos demandes">
              <RowList single>
                {decided.map((ticket) => (
                  <DecidedLine key={ticket.id} ticket={ticket} />
                ))}
                {declared.length > 0 && <DeclaredLine tickets={declared} />}
                {uncoded.length > 0 && <UncodedLine tickets={uncoded} />}
              </RowList>
            </section>
          )}
        </div>
      )}
      {earlier.length > 0 && <AgainList tickets={earlier} catalogue={catalogue} ownPhone={ownPhone} beside={isPair} />}
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

const nameOf = ({ servicePath }: Ticket) => keepUnits(servicePath.at(-1)?.name ?? '');
const totalOf = ({ totalPrice, servicePath }: Ticket) => formatTotal(Number(totalPrice), servicePath);

/** Other requests to pay, each with the way to its code. */
function UnpaidList({ tickets, ownPhone }: { tickets: Ticket[]; ownPhone: string }) {
  const names = useBeneficiaryNames();
  const mayDial = useMayDial();
  const more = tickets.length - unpaidShown;
  return (
    <section aria-label="Autres demandes à payer">
      <RowList single>
        {tickets.slice(0, unpaidShown).map((ticket) => {
          const { id, dialCode, beneficiaryPhoneNumber: phone } = ticket;
          const of = `le code du ticket n°\u00a0${id}`;
          return (
            <div key={id} className="flex min-h-15 w-full flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-2 pl-3.5">
              <Link
                href={ticketDetailAddress(id)}
                className="min-w-0 flex-1 basis-32 leading-snug -outline-offset-4 hover:underline"
              >
                <span className="line-clamp-2 font-bold leading-tight">{nameOf(ticket)}</span>
                <span className="block text-small text-soft tabular-nums">
                  <strong className="whitespace-nowrap text-ink">{totalOf(ticket)}</strong> ·{' '}
                  <span className="inline-block">
                    {phone === ownPhone ? 'pour moi' : (names.get(phone) ?? formatPhone(phone))}
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
            className="flex min-h-11 w-full items-center px-3.5 font-semibold text-leaf -outline-offset-4 hover:bg-leaf-pale/40"
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
    <Link
      href={href}
      className="flex min-h-15 w-full min-w-0 items-center gap-3 px-3.5 py-2 leading-snug -outline-offset-4 hover:bg-leaf-pale/40"
    >
      {mark}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="line-clamp-2 min-w-0 font-bold leading-tight">{name}</span>
          {total && <span className="whitespace-nowrap font-bold tabular-nums">{total}</span>}
        </span>
        <span className="block text-small text-soft">{children}</span>
      </span>
      <ChevronIcon className="-mr-1 size-5 shrink-0 text-leaf" />
    </Link>
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

/** A request that was decided a moment ago, on this screen. */
function DecidedLine({ ticket }: { ticket: Ticket }) {
  const isApproved = ticket.status === 'approved';
  return (
    <Line
      href={ticketDetailAddress(ticket.id)}
      mark={
        isApproved ? (
          <FreshTick tall of={ticket} />
        ) : (
          <span className={join(markClass, 'bg-brick-pale text-brick')}>
            <CrossIcon className="size-5" />
          </span>
        )
      }
      name={nameOf(ticket)}
      total={totalOf(ticket)}
    >
      {isApproved ? (
        <strong className="text-leaf-dark">Approuvé</strong>
      ) : (
        <span className="text-brick">{ticket.rejectReason ? `Rejeté\u00a0: ${ticket.rejectReason}` : 'Rejeté'}</span>
      )}
    </Line>
  );
}
