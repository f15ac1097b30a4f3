import { formatPhone } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { formatAmount, formatDate, formatTotal } from '#web/text/formats.ts';
import { receiptTitle, ticketStatusLabel } from '#web/text/tickets.ts';

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

/** In place of the address that verifies a receipt. */
export const withoutAddress = "L'adresse qui vérifie ce reçu manque\u00a0: rouvrez-le avec une connexion pour l'avoir.";

/** A receipt as text, for sharing or copying, with the address that verifies it. */
export function receiptText(ticket: Ticket, address: string | undefined): string {
  const lines = receiptLines(ticket).map(([name, value]) => `${name}\u00a0: ${value}`);
  return [
    `Guichet · ${receiptTitle(ticket.id)}`,
    ...lines,
    address ? `À vérifier\u00a0: ${address}` : withoutAddress,
  ].join('\n');
}
