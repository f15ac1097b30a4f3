import type { LineState, Payment, PaymentInput } from '#contract/payments.ts';
import { adminTicketAddress } from '#web/admin-addresses.ts';
import { PaymentFacts, paymentTrouble } from '#web/features/admin/shared/payment-facts.tsx';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { type PaymentActions, PaymentButtons } from './payment-actions.tsx';

/** Payments with their state, and what may be done with each. */
export function PaymentTable({
  label,
  payments,
  actions,
}: {
  label: string;
  payments: readonly Payment[];
  actions: PaymentActions;
}) {
  return (
    <DataTable
      label={label}
      rows={payments}
      columns={[
        { head: 'Paiement', percent: 36, cell: (payment) => <PaymentFacts payment={payment} /> },
        { head: 'État', percent: 14, cell: (payment) => <State payment={payment} /> },
        { head: 'Vu par', percent: 12, cell: (payment) => inputsWords(payment) },
        { head: 'Ticket', percent: 12, cell: (payment) => <OwnTicket payment={payment} /> },
        {
          head: 'Actions',
          percent: 26,
          cell: (payment) => (
            <div className="flex flex-wrap gap-1.5">
              <PaymentButtons small payment={payment} actions={actions} />
            </div>
          ),
        },
      ]}
      lookOf={(payment) => (paymentTrouble(payment) ? 'wrong' : undefined)}
      card={(payment) => (
        <div className="flex flex-col gap-2">
          <PaymentFacts payment={payment} />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <State payment={payment} />
            <span className="text-soft">{inputsWords(payment)}</span>
            <OwnTicket payment={payment} />
          </div>
          <div className="flex flex-wrap gap-2 sm:*:flex-none">
            <PaymentButtons payment={payment} actions={actions} />
          </div>
        </div>
      )}
    />
  );
}

export const stateWords: Record<LineState, { words: string; tone: Tone }> = {
  announced: { words: 'Annoncé', tone: 'amber' },
  settled: { words: 'Confirmé', tone: 'green' },
  failed: { words: 'Échoué', tone: 'grey' },
  reversed: { words: 'Repris', tone: 'red' },
};

const directionWords: Partial<Record<Payment['direction'], string>> = {
  out: 'Envoyé',
  fee: 'Frais',
  reversal: 'Reprise',
};

function State({ payment: { state, direction, isIgnored } }: { payment: Payment }) {
  const other = directionWords[direction];
  return (
    <span className="flex flex-wrap gap-1">
      <Badge small tone={stateWords[state].tone}>
        {stateWords[state].words}
      </Badge>
      {other && <Badge small>{other}</Badge>}
      {isIgnored && <Badge small>Ignoré</Badge>}
    </span>
  );
}

const inputWords: Record<PaymentInput, string> = {
  sms: 'SMS',
  paste: 'SMS collé',
  wave: 'Wave',
  file: 'Relevé',
  person: 'Saisie',
};

const inputsWords = ({ inputs }: Payment) => inputs.map((input) => inputWords[input]).join(', ');

/** The ticket that it pays, else the one that its payer named. */
function OwnTicket({ payment: { ticketId, ourReference, gross } }: { payment: Payment }) {
  if (ticketId === null)
    return ourReference === null ? null : <span className="text-soft">{`Motif\u00a0: T${ourReference}`}</span>;
  return (
    <Link
      href={adminTicketAddress(ticketId)}
      aria-label={`Ouvrir le ticket n°\u00a0${ticketId}, payé par ${formatAmount(gross)}`}
      className="inline-flex min-h-6 items-center font-bold text-leaf tabular-nums underline underline-offset-4 max-lg:min-h-11"
    >
      {`n°\u00a0${formatCount(ticketId)}`}
    </Link>
  );
}
