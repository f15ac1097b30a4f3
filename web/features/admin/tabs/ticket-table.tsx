import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { formatAmount, formatDayAndHour } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

interface Props {
  tickets: AdminTicket[];
  busy: boolean;
  onApprove: (ticket: AdminTicket) => void;
  onReject: (ticket: AdminTicket) => void;
}

const columns = ['Ticket', 'Utilisateur', 'Service', 'Bénéficiaire', 'Paiement', 'Total', 'Date', 'Statut', 'Actions'];
const cell = 'block py-1 lg:table-cell lg:px-2 lg:py-3 lg:align-top';
const named = join(
  cell,
  'flex justify-between gap-4 before:text-soft before:content-[attr(data-label)] lg:before:hidden',
);

/** A table on a wide screen, a card per ticket on a phone. */
export function TicketTable({ tickets, busy, onApprove, onReject }: Props) {
  return (
    <table
      className={join(
        'w-full border-separate border-spacing-0 text-sm',
        'lg:overflow-hidden',
        'lg:bg-card',
        'lg:rounded-card lg:border lg:border-line',
      )}
    >
      <thead className="sr-only lg:not-sr-only">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="border-line border-b bg-ground px-2 py-3 text-left font-semibold">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tickets.map((ticket) => {
          const { label, tone } = ticketStatusLabel(ticket.status);
          const { day, hour } = formatDayAndHour(ticket.createdAt);
          return (
            <tr
              key={ticket.id}
              className={join(
                cardClass,
                'mb-3 block p-4 lg:table-row lg:rounded-none lg:border-0 lg:shadow-none lg:[&>*]:border-line lg:[&>*]:border-b',
              )}
            >
              <th scope="row" className={join(cell, 'text-left font-bold text-base lg:text-sm')}>
                <span className="lg:hidden">Ticket </span>n° {ticket.id}
              </th>
              <td className={named} data-label="Utilisateur">
                <span className="text-right lg:text-left">
                  {ticket.user ? `${ticket.user.firstName} ${ticket.user.lastName}` : 'Utilisateur inconnu'}
                  {ticket.user && (
                    <span className="block whitespace-nowrap text-soft">{formatPhone(ticket.user.phone)}</span>
                  )}
                </span>
              </td>
              <td className={join(cell, 'lg:min-w-44')}>{ticket.servicePath.map((step) => step.name).join(' → ')}</td>
              <td className={named} data-label="Bénéficiaire">
                <span className="whitespace-nowrap">{formatPhone(ticket.beneficiaryPhoneNumber)}</span>
              </td>
              <td className={named} data-label="Paiement">
                {ticket.paymentTypeName}
              </td>
              <td className={named} data-label="Total">
                <strong className="whitespace-nowrap">{formatAmount(Number(ticket.totalPrice))}</strong>
              </td>
              <td className={named} data-label="Date">
                <span>
                  {day} <span className="lg:block">{hour}</span>
                </span>
              </td>
              <td className={named} data-label="Statut">
                <span className="text-right lg:text-left">
                  <span className="whitespace-nowrap">
                    <Badge tone={tone}>{label}</Badge>
                  </span>
                  {ticket.rejectReason && <span className="mt-1 block text-soft">{ticket.rejectReason}</span>}
                </span>
              </td>
              <td className={cell}>
                <div className="mt-2 flex gap-2 lg:mt-0 lg:flex-col">
                  <Button
                    className="flex-1 px-3 text-sm"
                    disabled={busy || ticket.status === 'approved'}
                    aria-label={`Approuver le ticket n° ${ticket.id}`}
                    onClick={() => onApprove(ticket)}
                  >
                    Approuver
                  </Button>
                  <Button
                    look="danger"
                    className="flex-1 px-3 text-sm"
                    disabled={busy || ticket.status === 'rejected'}
                    aria-label={`Rejeter le ticket n° ${ticket.id}`}
                    onClick={() => onReject(ticket)}
                  >
                    Rejeter
                  </Button>
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
