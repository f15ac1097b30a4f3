import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket, Decision } from '#contract/tickets.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';

interface Props {
  tickets: AdminTicket[];
  busy: boolean;
  chosen: ReadonlySet<number>;
  /** Displayed tickets that another administrator decided. */
  changed: ReadonlySet<number>;
  onChoose: (ticket: AdminTicket, chosen: boolean) => void;
  onOpen: (ticket: AdminTicket) => void;
  onDecide: (ticket: AdminTicket, status: Decision) => void;
}

const ownerOf = ({ user }: AdminTicket) => (user ? `${user.firstName} ${user.lastName}` : 'Utilisateur inconnu');

export function TicketTable(props: Props) {
  const { tickets, chosen, changed } = props;
  const columns: Column<AdminTicket>[] = [
    { head: 'Choisir', headHidden: true, percent: 3, cell: (ticket) => <Choice ticket={ticket} {...props} /> },
    { head: 'ID', end: true, percent: 5.5, cell: (ticket) => <Opener ticket={ticket} {...props} /> },
    {
      head: 'Utilisateur',
      percent: 12.5,
      cell: (ticket) => (
        <>
          <span className="block truncate font-medium">{ownerOf(ticket)}</span>
          {ticket.user && <span className="block text-soft tabular-nums">{formatPhone(ticket.user.phone)}</span>}
        </>
      ),
    },
    { head: 'Service', percent: 12.5, cell: (ticket) => <Path ticket={ticket} /> },
    {
      head: 'Bénéficiaire',
      percent: 11,
      cell: (ticket) => <Phone number={ticket.beneficiaryPhoneNumber} />,
    },
    {
      head: 'Paiement',
      percent: 8.5,
      cell: (ticket) => <span className="line-clamp-2">{ticket.paymentTypeName}</span>,
    },
    {
      head: 'Total',
      end: true,
      percent: 9,
      cell: (ticket) => <strong>{formatAmount(Number(ticket.totalPrice))}</strong>,
    },
    { head: 'Date', percent: 8, cell: (ticket) => <Moment instant={ticket.createdAt} /> },
    {
      head: 'Statut',
      percent: 11.5,
      cell: (ticket) => <Status ticket={ticket} changed={changed.has(ticket.id)} />,
    },
    {
      head: 'Actions',
      percent: 18.5,
      cell: (ticket) => (
        <div className="flex gap-1.5">
          <Decisions ticket={ticket} small {...props} />
        </div>
      ),
    },
  ];
  return (
    <DataTable
      label="Tickets"
      rows={tickets}
      columns={columns}
      lookOf={(ticket) => (chosen.has(ticket.id) ? 'chosen' : changed.has(ticket.id) ? 'changed' : undefined)}
      card={(ticket) => (
        <div className="flex flex-col gap-1.5">
          <div className="flex items-center gap-2.5">
            <Choice ticket={ticket} {...props} />
            <Opener ticket={ticket} {...props} />
            <span className="min-w-0 flex-1 truncate">{ownerOf(ticket)}</span>
            <Status ticket={ticket} changed={changed.has(ticket.id)} inCard />
          </div>
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0 flex-1">
              <Path ticket={ticket} />
            </div>
            <strong className="whitespace-nowrap tabular-nums">{formatAmount(Number(ticket.totalPrice))}</strong>
          </div>
          <p className="text-soft text-sm tabular-nums">
            <span className="whitespace-nowrap">{formatPhone(ticket.beneficiaryPhoneNumber)}</span> ·{' '}
            {ticket.paymentTypeName} ·{' '}
            <span className="whitespace-nowrap">
              <Moment instant={ticket.createdAt} />
            </span>
          </p>
          <Declared ticket={ticket} />
          {/* On its own line: beside the badge it would take the user's space. */}
          {ticket.rejectReason && <p className="line-clamp-1 text-soft text-sm">Motif : {ticket.rejectReason}</p>}
          <div className="mt-1 flex gap-2">
            <Decisions ticket={ticket} {...props} />
          </div>
        </div>
      )}
    />
  );
}

function Choice({ ticket, chosen, onChoose }: { ticket: AdminTicket } & Pick<Props, 'chosen' | 'onChoose'>) {
  return (
    <label className="-m-2 flex size-10 shrink-0 items-center justify-center">
      <span className="sr-only">Choisir le ticket n° {ticket.id}</span>
      <input
        type="checkbox"
        className="size-5 accent-leaf"
        checked={chosen.has(ticket.id)}
        onChange={(event) => onChoose(ticket, event.target.checked)}
      />
    </label>
  );
}

function Opener({ ticket, onOpen }: { ticket: AdminTicket } & Pick<Props, 'onOpen'>) {
  return (
    <button
      type="button"
      aria-label={`Ouvrir le ticket n° ${ticket.id}`}
      className="min-h-8 whitespace-nowrap rounded-lg font-bold text-leaf tabular-nums underline-offset-4 hover:underline"
      onClick={() => onOpen(ticket)}
    >
      {formatCount(ticket.id)}
    </button>
  );
}

/** A number that may break only after its country code. */
function Phone({ number }: { number: string }) {
  const [code, ...rest] = formatPhone(number).split(' ');
  return (
    <span className="tabular-nums">
      {code} <span className="whitespace-nowrap">{rest.join(' ')}</span>
    </span>
  );
}

/** The service in bold with its path below; the full path as a tooltip. */
function Path({ ticket }: { ticket: AdminTicket }) {
  const names = ticket.servicePath.map((step) => step.name);
  const above = names.slice(0, -1).join(' → ');
  return (
    <div title={names.join(' → ')}>
      <span className="line-clamp-1 font-bold">{names.at(-1)}</span>
      {above && <span className="line-clamp-1 text-[0.8125rem] text-soft">{above}</span>}
    </div>
  );
}

function Status({ ticket, changed, inCard }: { ticket: AdminTicket; changed: boolean; inCard?: boolean }) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Badge tone={tone} small>
        {label}
      </Badge>
      {changed ? (
        <span className="font-semibold text-amber text-xs">Décidé à l’instant</span>
      ) : (
        !inCard &&
        ticket.rejectReason && (
          <span title={ticket.rejectReason} className="line-clamp-1 text-soft text-xs">
            {ticket.rejectReason}
          </span>
        )
      )}
      {!inCard && <Declared ticket={ticket} />}
    </span>
  );
}

/** The declared payment, with a warning if another ticket has the same reference. */
function Declared({ ticket }: { ticket: AdminTicket }) {
  if (ticket.status !== 'pending' || !ticket.paymentDeclaredAt) return null;
  return (
    <span title={ticket.paymentReference ?? undefined} className="font-semibold text-leaf text-xs">
      Paiement déclaré
      {ticket.paymentReferenceUses > 0 && <span className="block text-brick">Référence déjà utilisée</span>}
    </span>
  );
}

function Decisions({
  ticket,
  small,
  busy,
  onDecide,
}: { ticket: AdminTicket; small?: boolean } & Pick<Props, 'busy' | 'onDecide'>) {
  const decision = (status: Decision) => ({
    of: `le ticket n° ${ticket.id}`,
    small,
    disabled: busy || ticket.status === status,
    onClick: () => onDecide(ticket, status),
  });
  return (
    <>
      <RowButton name="Approuver" {...decision('approved')} />
      <RowButton name="Rejeter" variant="danger" {...decision('rejected')} />
    </>
  );
}
