import { useState } from 'react';
import type { AdminTicket } from '#contract/tickets.ts';

interface Held {
  key: string;
  tickets: readonly AdminTicket[];
}

/**
 * The rows of a list with those that were decided here and no longer match: they stay in their places, so that no other
 * row moves under the pointer. `key` is the list's query; another one begins without them.
 */
export function useStillRows(rows: readonly AdminTicket[], key: string) {
  const [all, setHeld] = useState<Held>({ key, tickets: [] });
  const held = all.key === key ? all.tickets : [];
  return {
    tickets: withHeld(rows, held),
    /** Tickets decided here. */
    done: new Set(held.map(({ id }) => id)),
    hold: (decided: readonly AdminTicket[]) =>
      setHeld((before) => ({
        key,
        tickets: [
          ...(before.key === key ? before.tickets : []).filter((each) => !idsOf(decided).has(each.id)),
          ...decided,
        ],
      })),
    /** They were not decided after all. */
    drop: (ids: readonly number[]) =>
      setHeld((before) => ({ ...before, tickets: before.tickets.filter(({ id }) => !ids.includes(id)) })),
    /** Removes them, but for the one with the focus. */
    release: (focusedId: number | undefined) => {
      if (held.length > 0) setHeld({ key, tickets: held.filter(({ id }) => id === focusedId) });
    },
  };
}

const idsOf = (tickets: readonly AdminTicket[]) => new Set(tickets.map(({ id }) => id));

/** The held tickets that left the rows, back in their places by date and number. */
export function withHeld(rows: readonly AdminTicket[], held: readonly AdminTicket[]): readonly AdminTicket[] {
  const listed = idsOf(rows);
  const whole = [...rows];
  for (const ticket of held.filter(({ id }) => !listed.has(id))) {
    const place = whole.findIndex((row) => isLater(ticket, row));
    whole.splice(place === -1 ? whole.length : place, 0, ticket);
  }
  return whole;
}

function isLater(a: AdminTicket, b: AdminTicket): boolean {
  return a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt;
}
