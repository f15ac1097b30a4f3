import { describe, expect, test } from 'vitest';
import { ticketHistory } from './ticket-history.ts';

const created = { status: 'pending', createdAt: '2026-11-21T10:00:00.000Z' };
const approved = { status: 'approved', createdAt: '2026-11-21T12:00:00.000Z' };
const events = [created, approved];

describe('what became of a ticket', () => {
  test('is its events, where nobody said to have paid', () => {
    expect(ticketHistory({ events, paymentDeclaredAt: null }).map(({ event }) => event)).toEqual(events);
  });

  test.each([
    ['2026-11-21T11:00:00.000Z', 1],
    ['2026-11-21T10:00:00.000Z', 1],
    ['2026-11-21T12:00:00.000Z', 2],
    ['2026-11-21T13:00:00.000Z', 2],
  ])('has a declaration of %s in its place', (paymentDeclaredAt, place) => {
    const history = ticketHistory({ events, paymentDeclaredAt });
    expect(history[place]).toEqual({ at: paymentDeclaredAt });
    expect(history.flatMap(({ event }) => event ?? [])).toEqual(events);
  });
});
