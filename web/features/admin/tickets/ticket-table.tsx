import type { ReactNode } from 'react';
import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket, Decision } from '#contract/tickets.ts';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { StatusBadge } from '#web/features/admin/shared/status-badge.tsx';
import { formatCount } from '#web/text/formats.ts';
import { servicePlace } from '#web/text/service-place.ts';
import { join } from '#web/ui/join.ts';
import { AtDots, ownerOf, totalOf } from './ticket-facts.tsx';

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
  const { tickets, chosen, done, paid, waiting } = props;
  const shared = sharedColumns(props);
  return (
    <Listing
      title="Tickets"
      rows={tickets}
      parts={allColumns(shared)}
      fewer={fewerColumns(shared)}
      bar={props.choiceBar}
      lookOf={({ id }) => (done.has(id) || waiting.has(id) ? 'done' : chosen.has(id) ? 'chosen' : undefined)}
      note={(ticket) => {
        const why = whyOf(ticket, paid.get(ticket.id));
        // In line with the users' names.
        return why && <p className="-mt-2 pl-[7.8%]">{why}</p>;
      }}
      card={(ticket) => <TicketCard ticket={ticket} {...props} />}
    />
  );
}

type Column = Part<AdminTicket>;
type Shared = Record<'choice' | 'id' | 'service' | 'status' | 'actions', Column>;

/** The columns of both tables, with their shares of the wide one. */
function sharedColumns(props: Props): Shared {
  return {
    choice: {
      head: 'Choisir',
      headControl: <ChooseAll {...props} />,
      percent: 3.3,
      draw: (ticket) => <Choice ticket={ticket} {...props} />,
    },
    id: { head: 'ID', end: true, percent: 5, draw: (ticket) => <Opener ticket={ticket} {...props} /> },
    service: { head: 'Service', percent: 14, draw: (ticket) => <Path ticket={ticket} /> },
    status: {
      head: 'Statut',
      percent: 11,
      draw: (ticket) => (
        <Status ticket={ticket} seen={props.paid.get(ticket.id)} isWaiting={props.waiting.has(ticket.id)} />
      ),
    },
    actions: {
      head: 'Actions',
      percent: 14.8,
      draw: (ticket) => (
        <div className="flex gap-1 *:flex-auto *:px-0.5 *:text-small">
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
    percent: 11.9,
    draw: (ticket) => (
      <>
        <Owner ticket={ticket} />
        {ticket.user && (
          <span className="block text-soft">
            <Phone number={ticket.user.phone} />
          </span>
        )}
      </>
    ),
  },
  service,
  {
    head: 'Bénéficiaire',
    percent: 11.9,
    // The longest numbers stand clear of the payment.
    className: 'pr-2.5 pl-0.5',
    draw: (ticket) => <Phone number={ticket.beneficiaryPhoneNumber} />,
  },
  { head: 'Paiement', percent: 11, draw: (ticket) => <Payment ticket={ticket} /> },
  // The longest amounts begin in the space before the column.
  { head: 'Total', end: true, percent: 8.5, draw: (ticket) => <Total ticket={ticket} /> },
  {
    head: 'Date',
    percent: 8.6,
    className: 'whitespace-nowrap text-small',
    draw: (ticket) => <Moment instant={ticket.createdAt} />,
  },
  status,
  actions,
];

const fewerColumns = ({ choice, id, service, status, actions }: Shared): Column[] => [
  { ...choice, percent: 4.5 },
  {
    ...id,
    head: 'ID, date',
    percent: 9.5,
    draw: (ticket, inTable) => (
      <>
        {id.draw(ticket, inTable)}
        <span className="block text-soft text-small">
          <Moment instant={ticket.createdAt} />
        </span>
      </>
    ),
  },
  {
    head: 'Utilisateur, bénéficiaire',
    percent: 17,
    draw: (ticket) => (
      <>
        <Owner ticket={ticket} />
        <Phone number={ticket.beneficiaryPhoneNumber} />
      </>
    ),
  },
  { ...service, percent: 20 },
  {
    head: 'Total, paiement',
    percent: 16,
    draw: (ticket) => (
      <>
        <Total ticket={ticket} />
        <Payment ticket={ticket} />
      </>
    ),
  },
  { ...status, percent: 14 },
  { ...actions, percent: 19 },
];

function TicketCard({ ticket, ...props }: { ticket: AdminTicket } & Props) {
  const seen = props.paid.get(ticket.id);
  return (
    <div className="sm:flex sm:items-center sm:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex items-center gap-2.5">
          <Choice ticket={ticket} {...props} />
          <Opener ticket={ticket} {...props} />
          <span className="min-w-0 flex-1">{ownerOf(ticket)}</span>
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
          <PaymentNews ticket={ticket} seen={seen} />
          <Reference ticket={ticket} />
        </p>
        <p className="text-small text-soft empty:hidden">{whyOf(ticket, seen)}</p>
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
      className="-m-2 flex size-10 shrink-0 items-center justify-center"
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
      className="min-h-8 whitespace-nowrap rounded-lg font-bold text-leaf tabular-nums underline-offset-4 hover:underline"
      onClick={() => onOpen(ticket)}
    >
      {formatCount(ticket.id)}
    </button>
  );
}

function Owner({ ticket }: { ticket: AdminTicket }) {
  return (
    <span title={ownerOf(ticket)} className="block truncate font-medium">
      {ownerOf(ticket)}
    </span>
  );
}

/** A total whose currency is one grey letter, said whole. */
function Total({ ticket }: { ticket: AdminTicket }) {
  const words = totalOf(ticket);
  const currency = 'FCFA';
  if (!words.endsWith(currency)) return <strong className="font-semibold">{words}</strong>;
  return (
    <strong className="inline-flex justify-end whitespace-nowrap font-semibold tabular-nums">
      {words.slice(0, -currency.length)}
      <span className="font-normal text-soft">
        F<span className="sr-only">CFA</span>
      </span>
    </strong>
  );
}

/** A number on one line; in a wider face than Roboto the longest may break, after its country code only. */
function Phone({ number }: { number: string }) {
  const [code, ...rest] = formatPhone(number).split(' ');
  return (
    <span className="text-small tabular-nums">
      {code} <span className="whitespace-nowrap">{rest.join(' ')}</span>
    </span>
  );
}

/** The service in bold, and below it where it stands; the full path as a tooltip. */
function Path({ ticket: { servicePath } }: { ticket: AdminTicket }) {
  const names = servicePath.map(({ name }) => name);
  return (
    <div title={names.join(' → ')}>
      <span className="line-clamp-2 font-semibold">{names.at(-1)}</span>
      <span className="line-clamp-2 text-small text-soft">{servicePlace(servicePath)}</span>
    </div>
  );
}

/** The payment type, with what was declared below it (P16.14) on as many lines as it takes. */
function Payment({ ticket }: { ticket: AdminTicket }) {
  const { paymentTypeName, paymentReference } = ticket;
  return (
    <>
      <span title={paymentTypeName} className={paymentReference ? 'block truncate' : 'line-clamp-2'}>
        {paymentTypeName}
      </span>
      <span className="block text-small leading-tight">
        <Reference ticket={ticket} />
      </span>
    </>
  );
}

/** The declared reference, with a warning if another ticket has it too. */
function Reference({ ticket }: { ticket: AdminTicket }) {
  const { paymentReference, paymentReferenceUses, status } = ticket;
  return (
    <>
      {paymentReference && (
        <>
          <span className="text-soft in-[td]:sr-only">Réf. </span>
          <span className="wrap-anywhere select-all tabular-nums">
            <AtDots text={paymentReference} />
          </span>
        </>
      )}
      {status === 'pending' && paymentReferenceUses > 0 && (
        <span className="font-semibold text-brick"> Référence déjà utilisée</span>
      )}
    </>
  );
}

function Status({ ticket, seen, isWaiting }: Paid & { isWaiting: boolean }) {
  return (
    <span className="flex flex-col items-start gap-0.5">
      <StatusBadge status={ticket.status} isWaiting={isWaiting} />
      <PaymentNews ticket={ticket} seen={seen} />
    </span>
  );
}

/** A payment that came in for a ticket. */
export interface SeenPayment {
  isSure: boolean;
  /** CFA francs. */
  gross: number;
  /** French sentences, as those that speak against it. */
  evidence: readonly string[];
  doubts: readonly string[];
}

interface Paid {
  ticket: AdminTicket;
  seen: SeenPayment | undefined;
}

/** What is known of a waiting ticket's payment: one that came in, else one that was declared. */
function PaymentNews({ ticket: { status, paymentDeclaredAt }, seen }: Paid) {
  if (status !== 'pending' || (!seen && !paymentDeclaredAt)) return null;
  if (seen && !seen.isSure) return <span className="font-semibold text-amber text-small">Paiement possible</span>;
  const look = seen && seen.doubts.length > 0 ? 'text-amber' : 'text-leaf';
  return <span className={join('font-semibold text-small', look)}>{seen ? 'Paiement vu' : 'Paiement déclaré'}</span>;
}

/** Below its row in whole: the evidence of the payment that came in, or the reason of the rejection. */
function whyOf({ status, rejectReason }: AdminTicket, seen: SeenPayment | undefined): string | undefined {
  if (status === 'pending' && seen?.isSure) return [...seen.evidence, ...seen.doubts].join(' ');
  return rejectReason ? `Motif\u00a0: ${rejectReason}` : undefined;
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
      <RowButton name="Approuver" variant={isOpen ? 'main' : 'plain'} {...decision('approved')} />
      <RowButton name="Rejeter" variant={isOpen ? 'danger' : 'plain'} {...decision('rejected')} />
    </>
  );
}
