import { listPaymentAccounts } from '#contract/payment-feed.ts';
import type { LineState, Payment, PaymentDirection } from '#contract/payments.ts';
import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { adminTicketAddress } from '#web/admin-addresses.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { servicePlace } from '#web/text/service-place.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { join } from '#web/ui/join.ts';
import { Moment } from './moment.tsx';

/** The states that are worth a word: most payments are announced, then confirmed. */
const states: Partial<Record<LineState, { words: string; tone: Tone }>> = {
  failed: { words: 'Échoué', tone: 'grey' },
  reversed: { words: 'Repris', tone: 'red' },
};
const directions: Partial<Record<PaymentDirection, string>> = { out: 'Envoyé', fee: 'Frais', reversal: 'Reprise' };

/** The state of a payment where it is odd, and what it is where it is not one received. */
export function StateBadge({ payment: { state, direction } }: { payment: Pick<Payment, 'state' | 'direction'> }) {
  const odd = states[state];
  return (
    <>
      {odd && <Badge tone={odd.tone}>{odd.words}</Badge>}
      {directions[direction] && <Badge>{directions[direction]}</Badge>}
    </>
  );
}

type Told = { [Name in keyof Payment]?: Payment[Name] | undefined };

/** A payment, or what is read of one, on two lines: amount and account; hour, payer and reference. What is wrong follows in red. */
export function PaymentFacts({ payment }: { payment: Told }) {
  const { accountId, paidAt, payer, reference } = payment;
  const account = useAccountLabel(accountId);
  const trouble = paymentTrouble(payment);
  return (
    <div className="wrap-anywhere min-w-0 leading-snug">
      <p className="font-semibold">
        <span className="whitespace-nowrap tabular-nums">{`${amountOf(payment)}${account ? '\u00a0·' : ''}`}</span>{' '}
        <span className="inline-block">{account}</span>
      </p>
      {/* A dot ends a line; none begins one. */}
      <p className="text-small text-soft">
        {paidAt && <Moment instant={paidAt} />}
        {payer && (
          <span>
            &nbsp;· <span className="inline-block tabular-nums">{`du ${payerWords(payer)}`}</span>
          </span>
        )}
        {reference && <span className="block">{reference}</span>}
      </p>
      {trouble && <p className="font-semibold text-small text-brick">{trouble}</p>}
    </div>
  );
}

/** Where a payment came from, for a row of a table that has its amount beside: account and hour; payer and reference. */
export function PaymentOrigin({ payment }: { payment: Payment }) {
  const { accountId, paidAt, payer, reference } = payment;
  const account = useAccountLabel(accountId);
  const trouble = paymentTrouble(payment);
  return (
    <div className="wrap-anywhere min-w-0 leading-snug">
      <p>
        <span>{account && `${account}\u00a0· `}</span>
        <Moment instant={paidAt} />
      </p>
      <p className="text-small text-soft tabular-nums">
        {payer && <span>{`du ${payerWords(payer)}${reference ? '\u00a0· ' : ''}`}</span>}
        <span className="inline-block select-all">{reference}</span>
      </p>
      {trouble && <p className="font-semibold text-small text-brick">{trouble}</p>}
    </div>
  );
}

/** What came in, or with its sign went out. */
export const amountOf = ({ gross = 0, direction = 'in' }: Told): string =>
  `${direction === 'in' ? '' : '− '}${formatAmount(gross)}`;

function useAccountLabel(accountId: number | undefined): string | undefined {
  const accounts = useEndpoint(listPaymentAccounts, {}, { enabled: accountId !== undefined }).data;
  if (accountId === undefined || !accounts) return undefined;
  return accounts.find(({ id }) => id === accountId)?.label ?? `compte n°\u00a0${accountId}`;
}

/** What makes a payment doubtful by itself, in words. */
export function paymentTrouble({ anomaly, state }: Told): string | undefined {
  if (anomaly) return anomaly;
  return state === 'reversed' ? "Repris par l'opérateur." : state === 'failed' ? 'Ce paiement a échoué.' : undefined;
}

/** A whole number, also one of no known country, or the last digits of one. */
const payerWords = (payer: string): string => {
  if (payer.startsWith('+')) return formatPhone(payer);
  return payer.length < wholeDigits ? `…${payer}` : payer;
};
const wholeDigits = 8;

/** The number of a ticket, which opens it. */
export function TicketLink({ id, label, className }: { id: number; label?: string; className?: string }) {
  const look = 'inline-flex min-h-6 items-center text-leaf tabular-nums underline underline-offset-4 max-lg:min-h-11';
  return (
    <Link href={adminTicketAddress(id)} aria-label={label} className={join(look, className)}>
      {`n°\u00a0${formatCount(id)}`}
    </Link>
  );
}

/** The request that a payment may be for: its number opens the ticket. */
export function RequestFacts({ ticket: { id, servicePath, user, createdAt } }: { ticket: AdminTicket }) {
  return (
    <div className="wrap-anywhere min-w-0 leading-snug in-[td]:*:truncate">
      <p className="font-semibold">
        <TicketLink id={id} label={`Ouvrir le ticket n°\u00a0${id}`} className="whitespace-nowrap max-lg:-my-3" />{' '}
        {servicePath.at(-1)?.name} <span className="font-normal text-small text-soft">{servicePlace(servicePath)}</span>
      </p>
      <p className="text-small text-soft">
        {`${user ? `${user.firstName} ${user.lastName}` : 'Utilisateur inconnu'}\u00a0· `}
        <Moment instant={createdAt} />
      </p>
    </div>
  );
}

/** Why a payment is taken to be for a ticket, and what speaks against it: green is only what nothing speaks against. */
export function Evidence({ evidence, doubts }: { evidence: readonly string[]; doubts: readonly string[] }) {
  const isCertain = doubts.length === 0;
  return (
    <ul className="text-small">
      {evidence.map((sentence) => (
        <li key={sentence} className={isCertain ? 'text-leaf-dark' : 'text-soft'}>
          {sentence}
        </li>
      ))}
      {doubts.map((sentence) => (
        <li key={sentence} className="font-semibold text-amber">
          {sentence}
        </li>
      ))}
    </ul>
  );
}
