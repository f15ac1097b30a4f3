import type { Ticket } from '#contract/tickets.ts';
import { ticketDetailAddress } from '#web/addresses.ts';
import { Link } from '#web/router.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { PaymentAction } from '#web/tickets/payment-action.tsx';
import { TicketCode } from '#web/tickets/ticket-code.tsx';
import { nameOf, TicketHead } from '#web/tickets/ticket-head.tsx';

/** What a person has to do now: a request to pay, with its code to dial. */
export function WaitingTicket({ ticket, onDeclare }: { ticket: Ticket; onDeclare: () => void }) {
  const { id } = ticket;
  const name = (
    <Link href={ticketDetailAddress(id)} className="hover:underline">
      {nameOf(ticket)}
    </Link>
  );
  return (
    <section aria-label="Votre demande en attente" className="@container">
      <div className="ticket">
        <div className="px-4 pt-3 pb-3.5">
          <TicketHead ticket={ticket} level="h2" name={name}>
            <span>{`n°\u00a0${id}`}</span>&nbsp;· pour&nbsp;
            <Beneficiary short phone={ticket.beneficiaryPhoneNumber} />
          </TicketHead>
        </div>
        <div className="px-4 pt-4.5 pb-4">
          <TicketCode
            ticket={ticket}
            of={`le code du ticket n°\u00a0${id}`}
            beside={<PaymentAction ticket={ticket} onOpen={onDeclare} />}
          />
        </div>
      </div>
    </section>
  );
}
