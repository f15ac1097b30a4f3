import { useRef } from 'react';
import type { AdminTicket, TicketStatus } from '#contract/tickets.ts';

/** Notices tickets whose status somebody else changed while they were shown, until one has seen to them oneself. */
export function useChangedByOthers(tickets: readonly AdminTicket[]) {
  const seen = useRef(new Map<number, TicketStatus>());
  const changed = new Set<number>();
  for (const { id, status } of tickets) {
    const before = seen.current.get(id);
    if (before === undefined) seen.current.set(id, status);
    else if (before !== status) changed.add(id);
  }
  return {
    changed,
    /** These are known as they are now. */
    note(known: readonly Pick<AdminTicket, 'id' | 'status'>[]) {
      for (const { id, status } of known) seen.current.set(id, status);
    },
  };
}
