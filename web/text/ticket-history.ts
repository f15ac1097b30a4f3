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
