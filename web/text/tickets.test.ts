import { describe, expect, test } from 'vitest';
import { ticketHistory, ticketStatusLabel } from './tickets.ts';

test.each([
  ['pending', 'En attente', 'amber'],
  ['approved', 'Approuvé', 'green'],
  ['rejected', 'Rejeté', 'red'],
])('%s is %s, in %s', (status, label, tone) => {
  expect(ticketStatusLabel(status)).toEqual({ label, tone });
});

test.each(['', 'cancelled', 'constructor'])('%j, which we do not know, is shown as pending', (status) => {
  expect(ticketStatusLabel(status).label).toBe('En attente');
});

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
    ['2026-11-21T13:00:00.000Z', 2],
  ])('has a declaration of %s in its place', (paymentDeclaredAt, place) => {
    const history = ticketHistory({ events, paymentDeclaredAt });
    expect(history[place]).toEqual({ at: paymentDeclaredAt });
    expect(history.flatMap(({ event }) => event ?? [])).toEqual(events);
  });
});
