import type { Ticket } from '#contract/tickets.ts';
import { addresses, ticketDetailAddress } from '#web/addresses.ts';
import { UsualTime, WaitingSince } from '#web/dialling/decision-time.tsx';
import { PaymentAction } from '#web/dialling/payment-action.tsx';
import { TicketCode } from '#web/dialling/ticket-code.tsx';
import { Link } from '#web/router.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { formatTotal, keepUnits } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

/** As in the list of tickets; on a desk from the left. */
const rowClass = 'flex flex-wrap items-baseline justify-end gap-x-3 lg:justify-start';

/** What a person has to do now: the newest request that waits, with its code to dial. */
export function WaitingTicket({
  ticket,
  others,
  beside,
  onDeclare,
}: {
  ticket: Ticket;
  others: number;
  /** Whether something stands beside it on a desk; alone its code stands beside what it is for. */
  beside: boolean;
  onDeclare: () => void;
}) {
  const { id, servicePath, beneficiaryPhoneNumber, paymentDeclaredAt } = ticket;
  const total = formatTotal(Number(ticket.totalPrice), servicePath);
  const asksPayment = ticket.dialCode && !paymentDeclaredAt;
  return (
    <section
      aria-label="Votre demande en attente"
      className={join(
        cardClass,
        'flex flex-col gap-2.5 p-3.5 ring-1 ring-leaf',
        !beside && 'lg:grid lg:grid-cols-[fit-content(40%)_1fr] lg:gap-x-8 lg:px-5 lg:py-4',
      )}
    >
      <div className="flex flex-col gap-2.5">
        <div>
          <div className={rowClass}>
            <h2 className="line-clamp-3 min-w-0 flex-1 basis-32 font-bold leading-snug lg:flex-none">
              <Link href={ticketDetailAddress(id)} className="hover:underline">
                {keepUnits(servicePath.at(-1)?.name ?? '')}
              </Link>
            </h2>
            <Badge tone="amber" small>
              En attente
            </Badge>
          </div>
          <div className={rowClass}>
            <p className="min-w-0 flex-1 basis-32 text-[0.8125rem] text-soft tabular-nums lg:flex-none">
              {`n°\u00a0${id}`} · Pour <Beneficiary phone={beneficiaryPhoneNumber} />
            </p>
            <p className="text-right font-bold text-sm tabular-nums">{total}</p>
          </div>
        </div>
        {!asksPayment && <PaymentAction ticket={ticket} onOpen={onDeclare} />}
      </div>
      <div className={beside ? undefined : 'lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-center'}>
        <TicketCode
          card
          ticket={ticket}
          of={`le code du ticket n° ${id}`}
          beside={asksPayment && <PaymentAction ticket={ticket} onOpen={onDeclare} />}
        />
      </div>
      <p className={join('text-[0.8125rem] text-soft leading-snug', !beside && 'lg:-mt-2')}>
        <WaitingSince instant={ticket.createdAt} />
        <UsualTime after=". " />
      </p>
      {others > 0 && (
        <Link href={addresses.tickets} className="-mb-2.5 flex min-h-11 items-center font-semibold text-leaf text-sm">
          {others === 1 ? 'Une autre demande en attente' : `${others} autres demandes en attente`}
        </Link>
      )}
    </section>
  );
}
