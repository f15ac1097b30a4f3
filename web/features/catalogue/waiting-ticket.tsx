import type { Ticket } from '#contract/tickets.ts';
import { ticketDetailAddress } from '#web/addresses.ts';
import { Link } from '#web/router.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { formatTotal, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { UsualTime, WaitingSince } from '#web/tickets/decision-time.tsx';
import { PaymentAction } from '#web/tickets/payment-action.tsx';
import { TicketCode } from '#web/tickets/ticket-code.tsx';
import { Badge } from '#web/ui/badge.tsx';

/** As in the list of tickets. */
const rowClass = 'flex flex-wrap items-baseline justify-end gap-x-3';

/** What a person has to do now: a request to pay, with its code to dial. */
export function WaitingTicket({
  ticket,
  ownPhone,
  onDeclare,
}: {
  ticket: Ticket;
  ownPhone: string;
  onDeclare: () => void;
}) {
  const { id, servicePath, beneficiaryPhoneNumber: phone } = ticket;
  const total = formatTotal(Number(ticket.totalPrice), servicePath);
  return (
    <section aria-label="Votre demande en attente" className="ticket @container">
      <div className="p-3.5">
        <div className={rowClass}>
          <h2 className="line-clamp-3 min-w-0 flex-1 basis-32 font-bold text-large leading-snug">
            <Link href={ticketDetailAddress(id)} className="hover:underline">
              {keepUnits(servicePath.at(-1)?.name ?? '')}
            </Link>
          </h2>
          <p className="text-right font-bold font-display text-large tabular-nums leading-snug">{spaceAmount(total)}</p>
        </div>
        <div className={rowClass}>
          <p className="min-w-0 flex-1 basis-32 text-small text-soft tabular-nums">
            {`n°\u00a0${id}`} · pour <span>{phone === ownPhone ? 'moi' : <Beneficiary phone={phone} />}</span>
          </p>
          <Badge tone="amber">En attente</Badge>
        </div>
      </div>
      <div className="flex flex-col gap-2.5 p-3.5 @3xl:grid @3xl:grid-cols-[1fr_minmax(0,38rem)] @3xl:items-center @3xl:gap-x-4">
        <TicketCode
          card
          ticket={ticket}
          of={`le code du ticket n°\u00a0${id}`}
          beside={<PaymentAction ticket={ticket} onOpen={onDeclare} />}
        />
        <p className="text-small text-soft leading-snug @3xl:order-first">
          <WaitingSince instant={ticket.createdAt} />
          <UsualTime after=". " isToPay />
        </p>
      </div>
    </section>
  );
}
