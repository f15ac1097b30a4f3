import { useEffect, useRef, useState } from 'react';
import type { AdminTicket, Decision } from '#contract/tickets.ts';
import { isFocusLost } from '#web/ui/use-focus-fallback.ts';

/** A control of a row. */
type Control = Decision | 'choice' | 'number';
const selectors: Record<Control, string> = {
  approved: '[aria-label^="Approuver"]',
  rejected: '[aria-label^="Rejeter"]',
  choice: 'input',
  number: '[aria-label^="Ouvrir"]',
};

/** The id of the row that has the focus. */
export const focusedRow = () =>
  Number(document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row) || undefined;

/**
 * Keeps the keyboard in the list after a decision, which disables the pressed button: at the same control of the next
 * ticket that waits, else at the number of the decided one. An open dialog is waited for.
 */
export function useNextFocus<E extends HTMLElement>(tickets: readonly AdminTicket[], isDialogOpen: boolean) {
  const area = useRef<E>(null);
  const [decided, setDecided] = useState<{ ids: ReadonlySet<number>; control: Control; isUndone?: boolean }>();
  useEffect(() => {
    if (!decided || isDialogOpen) return;
    setDecided(undefined);
    const { activeElement } = document;
    const isOnDecided =
      !decided.isUndone && decided.ids.has(focusedRow() ?? 0) && !activeElement?.matches(selectors.number);
    if (!isOnDecided && !isFocusLost()) return;
    const last = tickets.map(({ id }) => decided.ids.has(id)).lastIndexOf(true);
    const others = [...tickets.slice(last + 1), ...tickets.slice(0, last).reverse()];
    const next = others.find(({ id, status }) => status === 'pending' && !decided.ids.has(id));
    const [id, control] =
      next && !decided.isUndone ? [next.id, decided.control] : [tickets[last]?.id, 'number' as const];
    area.current
      ?.querySelector<HTMLElement>(`[data-row="${id}"] ${selectors[control]}`)
      // The page stands still under a pointer.
      ?.focus({ preventScroll: isOnDecided && !activeElement?.matches(':focus-visible') });
  }, [decided, isDialogOpen, tickets]);
  return {
    area,
    goOnAfter: (those: readonly AdminTicket[], control: Control) =>
      setDecided({ ids: new Set(those.map(({ id }) => id)), control }),
    /** To a ticket whose decision was taken back, if the keyboard has no other place. */
    goBackTo: (ids: readonly number[]) => setDecided({ ids: new Set(ids), control: 'number', isUndone: true }),
  };
}
