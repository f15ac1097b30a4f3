import { expect, test } from 'vitest';
import type { AdminTicket } from '#contract/tickets.ts';
import { withHeld } from './use-still-rows.ts';

/** A ticket of a minute; the second one of a minute has a higher number. */
const ticket = (id: number, minute = id) =>
  ({ id, createdAt: new Date(Date.UTC(2026, 10, 23, 8, minute)).toISOString() }) as AdminTicket;
const idsOf = (tickets: readonly AdminTicket[]) => tickets.map(({ id }) => id);

test('a held ticket stands where it was, newest first', () => {
  const rows = [ticket(9), ticket(6), ticket(5, 6), ticket(2)];
  const held = [ticket(7), ticket(1), ticket(12), ticket(4, 6)];
  expect(idsOf(withHeld(rows, held))).toEqual([12, 9, 7, 6, 5, 4, 2, 1]);
});

test('one that is listed is not doubled, and shows what the list says', () => {
  const listed = { ...ticket(3), status: 'rejected' } as AdminTicket;
  expect(withHeld([listed], [ticket(3)])).toEqual([listed]);
  expect(idsOf(withHeld([], [ticket(3)]))).toEqual([3]);
});
