/** 'Reçu du ticket n° 12', of the receipt and of the page that verifies it. */
export const receiptTitle = (ticketId: number) => `Reçu du ticket n°\u00a0${ticketId}`;

/** The label and colour of each status; unknown ones are shown as pending. */
const labels = {
  pending: { label: 'En attente', tone: 'amber' },
  approved: { label: 'Approuvé', tone: 'green' },
  rejected: { label: 'Rejeté', tone: 'red' },
} as const;

export function ticketStatusLabel(status: string): (typeof labels)[keyof typeof labels] {
  return Object.hasOwn(labels, status) ? labels[status as keyof typeof labels] : labels.pending;
}

interface Told<E> {
  events: readonly E[];
  paymentDeclaredAt: string | null;
}

/** The history of a ticket, oldest first: its events and the user's declaration of payment. */
export function ticketHistory<E extends { createdAt: string }>({
  events,
  paymentDeclaredAt,
}: Told<E>): { at: string; event?: E }[] {
  const steps = events.map((event): { at: string; event?: E } => ({ at: event.createdAt, event }));
  if (!paymentDeclaredAt) return steps;
  const before = steps.filter(({ at }) => at <= paymentDeclaredAt);
  return [...before, { at: paymentDeclaredAt }, ...steps.slice(before.length)];
}
