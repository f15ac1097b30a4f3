import type { ReactNode } from 'react';
import { formatPhone } from '#contract/phone.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { StatusBadge } from '#web/features/admin/shared/status-badge.tsx';
import { servicePlace } from '#web/text/service-place.ts';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { join } from '#web/ui/join.ts';
import { AtDots, ownerOf, totalOf } from './ticket-facts.tsx';

interface Of {
  ticket: AdminTicket;
}

export function Owner({ ticket }: Of) {
  return (
    <span title={ownerOf(ticket)} className="block truncate font-medium">
      {ownerOf(ticket)}
    </span>
  );
}

/** The number as it is dialled at home, over its country code. */
export function Beneficiary({ ticket }: Of) {
  const [code, ...rest] = formatPhone(ticket.beneficiaryPhoneNumber).split(' ');
  return (
    <span className="flex flex-col-reverse whitespace-nowrap tabular-nums">
      <span className="text-soft">{code} </span>
      <span>{rest.join(' ')}</span>
    </span>
  );
}

/** A total whose currency is one grey letter, said whole. */
export function Total({ ticket }: Of) {
  const words = totalOf(ticket);
  const currency = 'FCFA';
  if (!words.endsWith(currency))
    return (
      <strong title={words} className="block truncate font-semibold">
        {words}
      </strong>
    );
  return (
    <strong className="inline-flex justify-end whitespace-nowrap font-semibold tabular-nums">
      {words.slice(0, -currency.length)}
      <span className="font-normal text-soft">
        F<span className="sr-only">CFA</span>
      </span>
    </strong>
  );
}

/** The service in bold, and below it where it stands, the country and the operator first; the full path as a tooltip. */
export function Path({ ticket: { servicePath } }: Of) {
  const names = servicePath.map(({ name }) => name);
  return (
    <div title={names.join(' → ')} className="in-[td]:*:truncate">
      <p className="font-semibold">{names.at(-1)}</p>
      <p className="text-small text-soft">{servicePlace(servicePath)}</p>
    </div>
  );
}

export function PaymentType({ ticket: { paymentTypeName } }: Of) {
  return (
    <span title={paymentTypeName} className="block truncate">
      {paymentTypeName}
    </span>
  );
}

const isUsedElsewhere = ({ status, paymentReferenceUses }: AdminTicket) =>
  status === 'pending' && paymentReferenceUses > 0;

/** The declared reference, with a warning if another ticket has it too. */
export function Reference({ ticket }: Of) {
  return (
    <>
      {ticket.paymentReference && (
        <span className="wrap-anywhere tabular-nums">
          <span className="text-soft">Réf. </span>
          <span className="select-all">
            <AtDots text={ticket.paymentReference} />
          </span>
        </span>
      )}
      {isUsedElsewhere(ticket) && <span className="font-semibold text-brick"> Référence déjà utilisée</span>}
    </>
  );
}

/** As many signs tell one reference from another, which begins with its day. */
const endLength = 8;

/** The end of the declared reference, to copy it whole (P16.14). */
export function ReferenceEnd({ ticket }: Of) {
  const { paymentReference: reference } = ticket;
  if (!reference) return null;
  const isUsed = isUsedElsewhere(ticket);
  return (
    <span
      title={isUsed ? `${reference}\u00a0: référence déjà utilisée` : reference}
      className={join('flex items-center gap-1 tabular-nums', isUsed ? 'font-semibold text-brick' : 'text-soft')}
    >
      {isUsed && (
        <>
          <WarningIcon className="size-4 shrink-0" />
          <span className="sr-only">Référence déjà utilisée </span>
        </>
      )}
      <span className="truncate">{reference.length > endLength ? `…${reference.slice(-endLength)}` : reference}</span>
      <CopyBeside text={reference} of={`la référence ${reference}`} />
    </span>
  );
}

/** A status over a line about it. */
export function Status({ ticket, isWaiting, children }: Of & { isWaiting: boolean; children: ReactNode }) {
  return (
    <span className="flex flex-col items-start gap-0.5 *:max-w-full">
      <StatusBadge status={ticket.status} isWaiting={isWaiting} />
      {children}
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

/** What is known of a ticket beside its status. */
interface TicketNews {
  words: string;
  look: string;
  /** The whole of it. */
  more?: string;
}

/** Of a waiting ticket its payment, one that came in, else one that was declared; of a rejected one the reason. */
export function newsOf(
  { status, paymentDeclaredAt, rejectReason }: AdminTicket,
  seen: SeenPayment | undefined,
): TicketNews | undefined {
  if (status !== 'pending')
    return rejectReason ? { words: rejectReason, look: 'text-soft', more: `Motif\u00a0: ${rejectReason}` } : undefined;
  if (!seen) return paymentDeclaredAt ? { words: 'Paiement déclaré', look: 'font-semibold text-leaf' } : undefined;
  const isClear = seen.isSure && seen.doubts.length === 0;
  return {
    words: seen.isSure ? 'Paiement vu' : 'Paiement possible',
    look: join('font-semibold', isClear ? 'text-leaf' : 'text-amber'),
    more: [...seen.evidence, ...seen.doubts].join(' '),
  };
}

/** On one line of a table, whole as a tooltip. */
export function News({ words, look, more = words }: Partial<TicketNews>) {
  return (
    <span title={more} className={join('truncate text-small empty:hidden', look)}>
      {words}
    </span>
  );
}
