import { useRef } from 'react';
import type { AdminTicket, TicketStatus } from '#contract/tickets.ts';

/** Tracks displayed tickets whose status another administrator changed, until one handles them. */
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
    /** Marks the current state of these tickets as seen. */
    markSeen(known: readonly Pick<AdminTicket, 'id' | 'status'>[]) {
      for (const { id, status } of known) seen.current.set(id, status);
    },
  };
}
