import { formatPhone } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { formatAmount, formatDate, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';

export const receiptTitle = ({ id }: Pick<Ticket, 'id'>) => `Reçu du ticket n° ${id}`;

/** The lines of a receipt as name and value; the total is last. */
export function receiptLines(ticket: Ticket): [name: string, value: string][] {
  const total = Number(ticket.totalPrice);
  return [
    ['Service', ticket.servicePath.map(({ name }) => name).join(' → ')],
    ['Date', formatDate(ticket.createdAt)],
    ['Bénéficiaire', formatPhone(ticket.beneficiaryPhoneNumber)],
    ['Paiement', ticket.paymentTypeName],
    ...(ticket.paymentReference ? [['Référence', ticket.paymentReference] as [string, string]] : []),
    ['Statut', ticketStatusLabel(ticket.status).label],
    ...(total > 0
      ? [
          ['Prix', formatAmount(ticket.amount)] as [string, string],
          ['Commission', formatAmount(ticket.commission)] as [string, string],
        ]
      : []),
    ['Total', formatTotal(total, ticket.servicePath)],
  ];
}

/** A receipt as text, for sharing or copying. */
export function receiptText(ticket: Ticket): string {
  const lines = receiptLines(ticket).map(([name, value]) => `${name} : ${value}`);
  return [`Guichet · ${receiptTitle(ticket)}`, ...lines].join('\n');
}
