import { type Payment, readTicketPayment } from '#contract/payments.ts';
import { nationalDigits } from '#contract/phone.ts';
import { incomingPaymentsAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
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

/** The payment that pays a ticket, or that is proposed for it, and why; nothing without one. */
export function PaymentSeen({ ticketId }: { ticketId: number }) {
  const seen = useTicketPayment(ticketId).data?.payment;
  if (!seen) return null;
  const { line, evidence, doubts, isMatched, isSure } = seen;
  const title = isMatched ? 'Payé par' : isSure ? 'Paiement vu' : 'Paiement possible';
  const look = paymentTrouble(line)
    ? 'border-brick/40 bg-brick-pale'
    : isSure && doubts.length === 0
      ? 'border-leaf/40 bg-leaf-pale'
      : 'border-amber/40 bg-amber-pale';
  return (
    <section aria-label={title} className={join('flex flex-col gap-1 rounded-xl border px-3.5 py-2.5', look)}>
      <h3 className="font-semibold">{title}</h3>
      <PaymentFacts payment={line} />
      <Evidence evidence={evidence} doubts={doubts} />
      <Link
        href={incomingPaymentsAddress('tous', searchOf(line))}
        className="-mb-2 inline-flex min-h-11 items-center self-start font-semibold text-leaf-dark text-body underline underline-offset-4"
      >
        Voir le paiement
      </Link>
    </section>
  );
}

/** What finds a payment among all of them. */
const searchOf = ({ reference, payer, gross }: Payment): string =>
  reference ?? (payer ? nationalDigits(payer) : String(gross));
