import type { Ticket } from '#contract/tickets.ts';
import { formatAmount, formatCounted, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';

/** Of a rejection without a reason. */
export const withoutReason = 'Aucun motif indiqué. Contactez-nous.';

export type DecidedTicket = Pick<Ticket, 'id' | 'status' | 'updatedAt' | 'totalPrice' | 'rejectReason' | 'servicePath'>;

/**
 * The tickets of an answer that were decided, or decided otherwise, since an answer before it; `known` is updated. A ticket
 * that is seen for the first time is no news, and an answer that another one overtook changes nothing.
 */
export function changedDecisions<T extends DecidedTicket>(known: Map<number, T>, answer: readonly T[]): T[] {
  return answer.filter((ticket) => {
    const before = known.get(ticket.id);
    if (before && before.updatedAt > ticket.updatedAt) return false;
    known.set(ticket.id, ticket);
    return before && before.status !== ticket.status && ticket.status !== 'pending';
  });
}

/** The toast of what was decided, at least one ticket. */
export function wordDecisions(tickets: readonly DecidedTicket[]) {
  const approved = tickets.filter(({ status }) => status === 'approved');
  const rejected = tickets.length - approved.length;
  const destructive = rejected > 0;
  const [first] = tickets;
  if (first && tickets.length === 1) {
    const { label } = ticketStatusLabel(first.status);
    const title = `${label}\u00a0: ${first.servicePath.at(-1)?.name ?? ''}`;
    const total = formatTotal(Number(first.totalPrice), first.servicePath);
    const reason = first.rejectReason ? `Motif\u00a0: ${first.rejectReason}` : withoutReason;
    return { title, description: destructive ? reason : `${total} · ticket n°\u00a0${first.id}`, destructive };
  }
  if (!destructive) {
    const sum = approved.reduce((total, { totalPrice }) => total + Number(totalPrice), 0);
    return { title: formatCounted(approved.length, 'demande approuvée'), description: `${formatAmount(sum)} au total` };
  }
  const reasons = 'Les motifs sont sur vos tickets.';
  if (approved.length === 0)
    return { title: formatCounted(rejected, 'demande rejetée'), description: reasons, destructive };
  return {
    title: formatCounted(tickets.length, 'demande décidée'),
    description: `${formatCounted(approved.length, 'approuvée')}, ${formatCounted(rejected, 'rejetée')}. ${reasons}`,
    destructive,
  };
}
