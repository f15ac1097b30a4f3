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
const cell = 'block py-1 xl:table-cell xl:px-1.5 xl:py-3 xl:align-top';
const labelledCell = join(
  cell,
  'flex justify-between gap-4 before:text-soft before:content-[attr(data-label)] xl:before:hidden',
);

/** A table on a wide screen, a card per ticket on a phone. */
export function TicketTable({ tickets, busy, onApprove, onReject }: Props) {
  return (
    <table
      className={join(
        'w-full border-separate border-spacing-0 text-sm',
        'xl:overflow-hidden',
        'xl:bg-card',
        'xl:rounded-card xl:border xl:border-line',
      )}
    >
      <thead className="sr-only xl:not-sr-only">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="border-line border-b bg-ground px-1.5 py-3 text-left font-semibold">
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
                'mb-3 block p-4 xl:table-row xl:rounded-none xl:border-0 xl:shadow-none xl:[&>*]:border-line xl:[&>*]:border-b',
              )}
            >
              <th scope="row" className={join(cell, 'text-left font-bold text-base xl:text-sm')}>
                <span className="xl:hidden">Ticket </span>n° {ticket.id}
              </th>
              <td className={labelledCell} data-label="Utilisateur">
                <span className="text-right xl:text-left">
                  {ticket.user ? `${ticket.user.firstName} ${ticket.user.lastName}` : 'Utilisateur inconnu'}
                  {ticket.user && (
                    <span className="block whitespace-nowrap text-soft">{formatPhone(ticket.user.phone)}</span>
                  )}
                </span>
              </td>
              <td className={join(cell, 'xl:min-w-40')}>{ticket.servicePath.map((step) => step.name).join(' → ')}</td>
              <td className={labelledCell} data-label="Bénéficiaire">
                <span className="whitespace-nowrap">{formatPhone(ticket.beneficiaryPhoneNumber)}</span>
              </td>
              <td className={labelledCell} data-label="Paiement">
                {ticket.paymentTypeName}
              </td>
              <td className={labelledCell} data-label="Total">
                <strong className="whitespace-nowrap">{formatAmount(Number(ticket.totalPrice))}</strong>
              </td>
              <td className={labelledCell} data-label="Date">
                <span>
                  {day} <span className="xl:block">{hour}</span>
                </span>
              </td>
              <td className={labelledCell} data-label="Statut">
                <span className="text-right xl:text-left">
                  <span className="whitespace-nowrap">
                    <Badge tone={tone}>{label}</Badge>
                  </span>
                  {ticket.rejectReason && <span className="mt-1 block text-soft">{ticket.rejectReason}</span>}
                </span>
              </td>
              <td className={cell}>
                <div className="mt-2 flex gap-2 xl:mt-0 xl:flex-col">
                  <Button
                    tight
                    className="flex-1 text-sm"
                    disabled={busy || ticket.status === 'approved'}
                    aria-label={`Approuver le ticket n° ${ticket.id}`}
                    onClick={() => onApprove(ticket)}
                  >
                    Approuver
                  </Button>
                  <Button
                    variant="danger"
                    tight
                    className="flex-1 text-sm"
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
