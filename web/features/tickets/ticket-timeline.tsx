import type { ReactNode } from 'react';
import { isFree } from '#contract/pricing.ts';
import type { OwnTicketDetail, TicketStatus } from '#contract/tickets.ts';
import { formatDate } from '#web/text/formats.ts';
import { ticketHistory } from '#web/text/tickets.ts';
import { join } from '#web/ui/join.ts';

const words: Record<TicketStatus, { label: string; dot: string }> = {
  pending: { label: 'Demande créée', dot: 'bg-leaf' },
  approved: { label: 'Demande approuvée', dot: 'bg-leaf' },
  rejected: { label: 'Demande rejetée', dot: 'bg-brick' },
};

/** The history of a ticket, step by step, and the steps to come; the last reason stands above it. */
export function TicketTimeline({ ticket }: { ticket: OwnTicketDetail }) {
  return (
    <ol className="ml-1.5">
      {ticketHistory(ticket).map(({ at, event }) => (
        <Step
          key={event?.id ?? 'declared'}
          label={event ? words[event.status].label : 'Paiement déclaré'}
          dot={event ? words[event.status].dot : 'bg-leaf'}
        >
          <p className="text-soft text-small">{formatDate(at)}</p>
          {event?.reason && event !== ticket.events.at(-1) && (
            <p className="text-brick text-body">{`Motif\u00a0: ${event.reason}`}</p>
          )}
          {!event && ticket.paymentReference && (
            <p className="text-body">
              Référence&nbsp;: <span className="break-all">{ticket.paymentReference}</span>
            </p>
          )}
        </Step>
      ))}
      {ticket.status === 'pending' &&
        !ticket.paymentDeclaredAt &&
        !isFree(Number(ticket.totalPrice), ticket.servicePath) && (
          <Step label="Paiement à déclarer" dot="border-2 border-edge bg-card">
            <p className="text-soft text-small">Après avoir payé, touchez «&nbsp;J'ai payé&nbsp;».</p>
          </Step>
        )}
      {ticket.status === 'pending' && (
        <Step label="Vérification par un administrateur" dot="border-2 border-edge bg-card">
          <p className="text-soft text-small">À venir</p>
        </Step>
      )}
    </ol>
  );
}

function Step({ label, dot, children }: { label: string; dot: string; children: ReactNode }) {
  return (
    <li className="relative pb-4 pl-4.5 before:absolute before:top-3 before:-bottom-3 before:left-0 before:w-0.5 before:bg-line last:pb-0 last:before:hidden">
      <span aria-hidden="true" className={join('absolute top-1 -left-1.5 size-3.5 rounded-full', dot)} />
      <p className="font-semibold">{label}</p>
      {children}
    </li>
  );
}
