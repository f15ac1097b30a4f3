import { listPaymentAccounts } from '#contract/payment-feed.ts';
import type { LineState, Payment } from '#contract/payments.ts';
import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { adminTicketAddress } from '#web/admin-addresses.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount, formatDayAndHour } from '#web/text/formats.ts';
import type { Tone } from '#web/ui/badge.tsx';

/** The states of a payment, in words. */
export const stateWords: Record<LineState, { words: string; tone: Tone }> = {
  announced: { words: 'Annoncé', tone: 'amber' },
  settled: { words: 'Confirmé', tone: 'green' },
  failed: { words: 'Échoué', tone: 'grey' },
  reversed: { words: 'Repris', tone: 'red' },
};
/** A received payment on two lines: amount and account; hour, payer and reference. What is wrong with it follows in red. */
export function PaymentFacts({ payment }: { payment: Payment }) {
  const { gross, accountId, paidAt, payer, reference } = payment;
  const trouble = paymentTrouble(payment);
  return (
    <div className="wrap-anywhere min-w-0 leading-snug">
      <p className="font-semibold">
        <span className="whitespace-nowrap tabular-nums">{`${formatAmount(gross)}\u00a0·`}</span>{' '}
        <span className="inline-block">
          <AccountName accountId={accountId} />
        </span>
      </p>
      {/* A dot ends a line; none begins one. */}
      <p className="text-[0.8125rem] text-soft">
        <HourOrDay instant={paidAt} />
        {payer && (
          <span>
            &nbsp;· <span className="whitespace-nowrap tabular-nums">{`du ${payerWords(payer)}`}</span>
          </span>
        )}
        {reference && (
          <span>
            &nbsp;· <span className="inline-block">{reference}</span>
          </span>
        )}
      </p>
      {trouble && <p className="font-semibold text-[0.8125rem] text-brick">{trouble}</p>}
    </div>
  );
}

/** What makes a payment doubtful by itself, in words. */
export function paymentTrouble({ anomaly, state }: Pick<Payment, 'anomaly' | 'state'>): string | undefined {
  if (anomaly) return anomaly;
  return state === 'reversed' ? "Repris par l'opérateur." : state === 'failed' ? 'Ce paiement a échoué.' : undefined;
}

/** A whole number, or the last digits of one. */
export const payerWords = (payer: string): string => (payer.startsWith('+') ? formatPhone(payer) : `…${payer}`);

function AccountName({ accountId }: { accountId: number }) {
  const { data } = useEndpoint(listPaymentAccounts, {});
  return data?.find(({ id }) => id === accountId)?.label ?? `compte n°\u00a0${accountId}`;
}

/** '14:05'; of another day also the day. In a sentence 'à 14:05', or 'le …'. */
export function HourOrDay({ instant, spoken }: { instant: string; spoken?: boolean }) {
  const { day, hour } = formatDayAndHour(instant);
  const isToday = day === formatDayAndHour(new Date().toISOString()).day;
  return (
    <time dateTime={instant} className="whitespace-nowrap tabular-nums">
      {`${spoken ? (isToday ? 'à ' : 'le ') : ''}${isToday ? hour : `${day} ${hour}`}`}
    </time>
  );
}

/** The request that a payment may be for: its number opens the ticket. */
export function RequestFacts({ ticket }: { ticket: AdminTicket }) {
  const { id, servicePath, user, createdAt } = ticket;
  return (
    <div className="wrap-anywhere min-w-0 leading-snug">
      <p className="font-semibold">
        <Link
          href={adminTicketAddress(id)}
          aria-label={`Ouvrir le ticket n°\u00a0${id}`}
          className="inline-flex min-h-6 items-center whitespace-nowrap text-leaf tabular-nums underline underline-offset-4 max-lg:-my-3 max-lg:min-h-11"
        >
          {`n°\u00a0${formatCount(id)}`}
        </Link>{' '}
        {servicePath.at(-1)?.name}
      </p>
      <p className="text-[0.8125rem] text-soft">
        <span>{`${user ? `${user.firstName} ${user.lastName}` : 'Utilisateur inconnu'}\u00a0· `}</span>
        <span className="whitespace-nowrap">
          demandé <HourOrDay spoken instant={createdAt} />
        </span>
      </p>
    </div>
  );
}

/** Why a payment is taken to be for a ticket. */
export function Evidence({ isSure, evidence }: { isSure: boolean; evidence: readonly string[] }) {
  return (
    <ul className={isSure ? 'text-[0.8125rem] text-leaf-dark' : 'text-[0.8125rem] text-amber'}>
      {evidence.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
