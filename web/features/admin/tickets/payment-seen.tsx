import type { ReactNode } from 'react';
import { type Payment, readTicketPayment } from '#contract/payments.ts';
import { nationalDigits } from '#contract/phone.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { incomingPaymentsAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Evidence, PaymentFacts, paymentTrouble } from '#web/features/admin/shared/payment-facts.tsx';
import { Link } from '#web/router.tsx';
import { join } from '#web/ui/join.ts';

/** The payment of the shown ticket. */
export const useTicketPayment = (ticketId: number) =>
  useEndpoint(readTicketPayment, paymentOf(ticketId), { pollEveryMs: pollEveryMs.adminPayments });

/** The payment of a ticket, where it is sure of it; of none nothing is read. */
export function useSurePayment(ticketId: number | undefined): Payment | undefined {
  const seen = useEndpoint(readTicketPayment, paymentOf(ticketId), { enabled: ticketId !== undefined }).data?.payment;
  return seen?.isSure ? seen.line : undefined;
}

/** Reads the payment of the ticket that comes next, so that nothing moves when it does. */
export function usePreparedPayment(ticketId: number | undefined): void {
  useEndpoint(readTicketPayment, paymentOf(ticketId), { enabled: ticketId !== undefined });
}

const paymentOf = (ticketId: number | undefined) => ({ params: { id: String(ticketId) } });

const looks = {
  wrong: 'border-brick/40 bg-brick-pale',
  clear: 'border-leaf/40 bg-leaf-pale',
  doubtful: 'border-amber/40 bg-amber-pale',
  none: 'border-line bg-ground',
};

/** The payment that pays a ticket, or that is proposed for it, and why; else that there is none. */
export function PaymentSeen({ ticket }: { ticket: AdminTicket }) {
  const read = useTicketPayment(ticket.id);
  const seen = read.data?.payment;
  if (!seen) return <NoPayment ticket={ticket} isRead={read.data !== undefined} />;
  const { line, evidence, doubts, isMatched, isSure } = seen;
  const title = isMatched ? 'Payé par' : isSure ? 'Paiement vu' : 'Paiement possible';
  const look = paymentTrouble(line) ? 'wrong' : isSure && doubts.length === 0 ? 'clear' : 'doubtful';
  return (
    <Box title={title} look={look}>
      <PaymentFacts payment={line} />
      <Evidence evidence={evidence} doubts={doubts} />
      <Link
        href={incomingPaymentsAddress('tous', searchOf(line))}
        className="-mb-2 inline-flex min-h-11 items-center self-start font-semibold text-leaf-dark text-body underline underline-offset-4"
      >
        Voir le paiement
      </Link>
    </Box>
  );
}

/** The place of a payment that did not come; in amber where its person waits and says that they paid. */
function NoPayment({ ticket, isRead }: { ticket: AdminTicket; isRead: boolean }) {
  const { status, totalPrice, paymentDeclaredAt } = ticket;
  if (!isRead) return <Box title="Recherche du paiement..." look="none" />;
  if (!paymentDeclaredAt)
    return <Box title={totalPrice === '0' ? "Rien n'est à payer" : "Rien n'est déclaré"} look="none" />;
  return (
    <Box title="Aucun paiement vu" look={status === 'pending' ? 'doubtful' : 'none'}>
      <p className="text-small">
        Déclaré le <Moment instant={paymentDeclaredAt} />.
      </p>
    </Box>
  );
}

function Box({ title, look, children }: { title: string; look: keyof typeof looks; children?: ReactNode }) {
  return (
    <section aria-label={title} className={join('flex flex-col gap-1 rounded-xl border px-3.5 py-2.5', looks[look])}>
      <h3 className={join('font-semibold', look === 'none' && 'text-soft')}>{title}</h3>
      {children}
    </section>
  );
}

/** What finds a payment among all of them. */
const searchOf = ({ reference, payer, gross }: Payment): string =>
  reference ?? (payer ? nationalDigits(payer) : String(gross));
