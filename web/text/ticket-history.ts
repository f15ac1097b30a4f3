interface Told<E> {
  events: readonly E[];
  paymentDeclaredAt: string | null;
}

/** What became of a ticket, the oldest first: its events, and among them, without one, that its user said to have paid. */
export function ticketHistory<E extends { createdAt: string }>({
  events,
  paymentDeclaredAt,
}: Told<E>): { at: string; event?: E }[] {
  const steps = events.map((event): { at: string; event?: E } => ({ at: event.createdAt, event }));
  if (!paymentDeclaredAt) return steps;
  const before = steps.filter(({ at }) => at <= paymentDeclaredAt);
  return [...before, { at: paymentDeclaredAt }, ...steps.slice(before.length)];
}
