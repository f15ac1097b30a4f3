import { useEffect, useRef } from 'react';
import type { Ticket, TicketStatus } from '#contract/tickets.ts';

const words: Record<TicketStatus, string> = { pending: 'en attente', approved: 'approuvée', rejected: 'rejetée' };

/** Tells screen readers which tickets have another status than a moment ago: a poll moves no focus and says nothing. */
export function StatusNews({ tickets }: { tickets: readonly Pick<Ticket, 'id' | 'status'>[] }) {
  const known = useRef(new Map<number, TicketStatus>());
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const changed = tickets.filter(({ id, status }) => (known.current.get(id) ?? status) !== status);
    for (const { id, status } of tickets) known.current.set(id, status);
    // Not a state, which would draw the screen a second time.
    if (changed.length > 0 && region.current)
      region.current.textContent = changed
        .map(({ id, status }) => `Demande n°\u00a0${id}\u00a0: ${words[status]}.`)
        .join(' ');
  }, [tickets]);
  return <p ref={region} role="status" className="sr-only" />;
}
