import { useRef, useState } from 'react';
import { type AdminTicket, decisionsAtOnce } from '#contract/tickets.ts';

/** The chosen tickets among those shown: one by one, by ranges, or all that wait. */
export function useChoice(tickets: readonly AdminTicket[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number>(undefined);
  const waiting = tickets.filter(({ status }) => status === 'pending');
  // Tickets that are decided are chosen together where nothing else is shown: not by the way.
  const all = (waiting.length > 0 ? waiting : tickets).slice(0, decisionsAtOnce);
  return {
    ids,
    chosen: tickets.filter(({ id }) => ids.has(id)).slice(0, decisionsAtOnce),
    isAll: all.length > 0 && all.every(({ id }) => ids.has(id)),
    choose(ticket: AdminTicket, on: boolean, isRange: boolean) {
      const those = isRange ? rangeOf(tickets, last.current, ticket) : [ticket];
      last.current = ticket.id;
      setIds((before) => {
        const next = new Set(before);
        for (const { id } of those)
          if (on) next.add(id);
          else next.delete(id);
        return next;
      });
    },
    chooseAll: (on: boolean) => setIds(new Set(on ? all.map(({ id }) => id) : [])),
    clear: () => setIds(new Set()),
    drop: (those: readonly AdminTicket[]) =>
      setIds((before) => new Set([...before].filter((id) => those.every((each) => each.id !== id)))),
  };
}

/** The tickets from the last chosen one to this one that have its status. */
export function rangeOf(
  tickets: readonly AdminTicket[],
  lastId: number | undefined,
  ticket: AdminTicket,
): AdminTicket[] {
  const to = tickets.findIndex(({ id }) => id === ticket.id);
  const last = tickets.findIndex(({ id }) => id === lastId);
  const from = last === -1 ? to : last;
  return tickets.slice(Math.min(from, to), Math.max(from, to) + 1).filter(({ status }) => status === ticket.status);
}
