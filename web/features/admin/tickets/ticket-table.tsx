import type { ReactNode } from 'react';
import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket, Decision } from '#contract/tickets.ts';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { StatusBadge } from '#web/features/admin/shared/status-badge.tsx';
import { formatCount } from '#web/text/formats.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import {
  Beneficiary,
  News,
  newsOf,
  Owner,
  Path,
  PaymentType,
  Reference,
  ReferenceEnd,
  type SeenPayment,
  Status,
  Total,
} from './ticket-cells.tsx';
import { ownerOf, totalOf } from './ticket-facts.tsx';

interface Props {
  tickets: readonly AdminTicket[];
  /** Tickets whose decision is shown and not answered yet. */
  waiting: ReadonlyMap<number, unknown>;
  chosen: ReadonlySet<number>;
  isAllChosen: boolean;
  /** Tickets decided here, which may no longer match the filter. */
  done: ReadonlySet<number>;
  /** Tickets that payments are proposed for. */
  paid: ReadonlyMap<number, SeenPayment>;
  onChoose: (ticket: AdminTicket, chosen: boolean, isRange: boolean) => void;
  onChooseAll: (chosen: boolean) => void;
  /** The decisions of all that are chosen, over the head. */
  choiceBar: ReactNode;
  onOpen: (ticket: AdminTicket) => void;
  onDecide: (ticket: AdminTicket, status: Decision) => void;
}

export function TicketTable(props: Props) {
  const { tickets, chosen, done, waiting } = props;
  const shared = sharedColumns(props);
  return (
    <Listing
      title="Tickets"
      rows={tickets}
      parts={allColumns(shared)}
      fewer={fewerColumns(shared, props)}
      bar={props.choiceBar}
      lookOf={({ id }) => (done.has(id) || waiting.has(id) ? 'done' : chosen.has(id) ? 'chosen' : undefined)}
      card={(ticket) => <TicketCard ticket={ticket} {...props} />}
    />
  );
}

type Column = Part<AdminTicket>;
type Shared = Record<'choice' | 'id' | 'service' | 'status' | 'actions', Column>;

/** The columns of both tables, with their shares of the wide one. A cell has two lines at most, each of which is cut. */
function sharedColumns(props: Props): Shared {
  return {
    choice: {
      head: 'Choisir',
      headControl: <ChooseAll {...props} />,
      percent: 3.6,
      draw: (ticket) => <Choice ticket={ticket} {...props} />,
    },
    id: { head: 'ID', end: true, percent: 5.2, draw: (ticket) => <Opener ticket={ticket} {...props} /> },
    service: { head: 'Service', percent: 18.2, draw: (ticket) => <Path ticket={ticket} /> },
    status: {
      head: 'Statut',
      percent: 12,
      draw: (ticket) => (
        <Status ticket={ticket} isWaiting={props.waiting.has(ticket.id)}>
          <News {...newsOf(ticket, props.paid.get(ticket.id))} />
        </Status>
      ),
    },
    actions: {
      head: 'Actions',
      end: true,
      percent: 9.3,
      draw: (ticket) => (
        <div className="flex justify-end gap-1">
          <Decisions ticket={ticket} small {...props} />
        </div>
      ),
    },
  };
}

const allColumns = ({ choice, id, service, status, actions }: Shared): Column[] => [
  choice,
  id,
  {
    head: 'Utilisateur',
    percent: 13,
    draw: (ticket) => (
      <>
        <Owner ticket={ticket} />
        {ticket.user && (
          <span className="block whitespace-nowrap text-soft tabular-nums">{formatPhone(ticket.user.phone)}</span>
        )}
      </>
    ),
  },
  service,
  { head: 'Bénéficiaire', percent: 11, draw: (ticket) => <Beneficiary ticket={ticket} /> },
  {
    head: 'Paiement',
    percent: 11.6,
    draw: (ticket) => (
      <>
        <PaymentType ticket={ticket} />
        <ReferenceEnd ticket={ticket} />
      </>
    ),
  },
  { head: 'Total', end: true, percent: 8.7, draw: (ticket) => <Total ticket={ticket} /> },
  {
    head: 'Date',
    percent: 7.4,
    className: 'text-soft [&_span]:block [&_span]:text-ink',
    draw: (ticket) => <Moment instant={ticket.createdAt} />,
  },
  status,
  actions,
];

const fewerColumns = ({ choice, id, service, status, actions }: Shared, { paid, waiting }: Props): Column[] => [
  { ...choice, percent: 5 },
  {
    ...id,
    head: 'ID, date',
    percent: 11.5,
    draw: (ticket, inTable) => (
      <>
        {id.draw(ticket, inTable)}
        <span className="block truncate text-soft">
          <Moment instant={ticket.createdAt} />
        </span>
      </>
    ),
  },
  {
    head: 'Utilisateur, bénéficiaire',
    percent: 18.5,
    draw: (ticket) => (
      <>
        <Owner ticket={ticket} />
        <span className="block whitespace-nowrap text-soft tabular-nums">
          {formatPhone(ticket.beneficiaryPhoneNumber)}
        </span>
      </>
    ),
  },
  { ...service, percent: 22 },
  {
    head: 'Total, paiement',
    end: true,
    percent: 14,
    draw: (ticket) => (
      <>
        <Total ticket={ticket} />
        <PaymentType ticket={ticket} />
      </>
    ),
  },
  {
    ...status,
    percent: 16.5,
    draw: (ticket) => {
      const seen = paid.get(ticket.id);
      return (
        <Status ticket={ticket} isWaiting={waiting.has(ticket.id)}>
          {/* What was declared is told by its reference, unless more is known. */}
          {seen || ticket.status !== 'pending' || !ticket.paymentReference ? (
            <News {...newsOf(ticket, seen)} />
          ) : (
            <ReferenceEnd ticket={ticket} />
          )}
        </Status>
      );
    },
  },
  { ...actions, percent: 12.5 },
];

function TicketCard({ ticket, ...props }: { ticket: AdminTicket } & Props) {
  const news = newsOf(ticket, props.paid.get(ticket.id));
  return (
    <div className="sm:flex sm:items-center sm:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Choice ticket={ticket} {...props} />
          <Opener ticket={ticket} {...props} />
          <span className="wrap-anywhere min-w-0 flex-1 basis-24">{ownerOf(ticket)}</span>
          <StatusBadge status={ticket.status} isWaiting={props.waiting.has(ticket.id)} />
        </div>
        <div className="flex flex-wrap items-start justify-between gap-x-3">
          <div className="min-w-0 flex-1 basis-40">
            <Path ticket={ticket} />
          </div>
          <strong className="whitespace-nowrap tabular-nums">{totalOf(ticket)}</strong>
        </div>
        <p className="text-soft text-small tabular-nums">
          <span className="whitespace-nowrap">{formatPhone(ticket.beneficiaryPhoneNumber)}</span> ·{' '}
          {ticket.paymentTypeName}{' '}
          <span className="whitespace-nowrap">
            · <Moment instant={ticket.createdAt} />
          </span>
        </p>
        <p className="flex flex-wrap gap-x-2 text-small empty:hidden">
          {news && ticket.status === 'pending' && <span className={news.look}>{news.words}</span>}
          <Reference ticket={ticket} />
        </p>
        <p className="text-small text-soft empty:hidden">{news?.more}</p>
      </div>
      <div className="mt-2.5 flex flex-wrap gap-2 sm:mt-0 sm:flex-nowrap">
        <Decisions ticket={ticket} {...props} />
      </div>
    </div>
  );
}

/** All that wait: a box of the table's head, with its words above the cards of a narrow screen. */
function ChooseAll({ tickets, chosen, isAllChosen, onChooseAll }: Props) {
  const isSome = tickets.some(({ id }) => chosen.has(id));
  return (
    <label className="-mt-3 flex min-h-11 items-center gap-2.5 in-[th]:-m-2 in-[th]:size-10 in-[th]:justify-center">
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-leaf"
        checked={isAllChosen}
        ref={(box) => {
          if (box) box.indeterminate = isSome && !isAllChosen;
        }}
        onChange={(event) => onChooseAll(event.target.checked)}
      />
      <span className="in-[th]:sr-only">Tout choisir</span>
    </label>
  );
}

/** With Shift, all from the last one on. */
function Choice({ ticket, chosen, onChoose }: { ticket: AdminTicket } & Pick<Props, 'chosen' | 'onChoose'>) {
  return (
    <label
      className="-m-2.5 flex size-11 shrink-0 items-center justify-center in-[td]:-m-2 in-[td]:size-10"
      // Shift would select the text between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      <span className="sr-only">{`Choisir le ticket n°\u00a0${ticket.id}`}</span>
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-leaf"
        checked={chosen.has(ticket.id)}
        onChange={({ target, nativeEvent }) =>
          onChoose(ticket, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}

function Opener({ ticket, onOpen }: { ticket: AdminTicket } & Pick<Props, 'onOpen'>) {
  return (
    <button
      type="button"
      aria-label={`Ouvrir le ticket n°\u00a0${ticket.id}`}
      className="in-[li]:-my-2 min-h-6 in-[li]:min-h-11 whitespace-nowrap rounded-lg font-bold text-leaf tabular-nums underline-offset-4 hover:underline"
      onClick={() => onOpen(ticket)}
    >
      {formatCount(ticket.id)}
    </button>
  );
}

function Decisions({
  ticket,
  small,
  waiting,
  onDecide,
}: { ticket: AdminTicket; small?: boolean } & Pick<Props, 'waiting' | 'onDecide'>) {
  // What changes a decision stands back.
  const isOpen = ticket.status === 'pending';
  const decision = (status: Decision) => ({
    of: `le ticket n°\u00a0${ticket.id}`,
    small,
    disabled: ticket.status === status || waiting.has(ticket.id),
    ...deliberate(() => onDecide(ticket, status)),
  });
  return (
    <>
      <RowButton name="Approuver" Icon={CheckIcon} variant={isOpen ? 'main' : 'plain'} {...decision('approved')} />
      <RowButton name="Rejeter" Icon={CrossIcon} variant={isOpen ? 'danger' : 'plain'} {...decision('rejected')} />
    </>
  );
}
