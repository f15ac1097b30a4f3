import { expect, test } from 'vitest';
import { ticketStatuses } from '#contract/tickets.ts';
import { ticketStatusLabel } from './ticket-status.ts';

test.each([
  ['pending', 'En attente', 'amber'],
  ['approved', 'Approuvé', 'green'],
  ['rejected', 'Rejeté', 'red'],
])('%s is %s, in %s', (status, label, tone) => {
  expect(ticketStatusLabel(status)).toEqual({ label, tone });
});

test('each status of the contract has a word and a colour of its own', () => {
  const labels = ticketStatuses.map(ticketStatusLabel);
  expect(new Set(labels.map(({ label }) => label)).size).toBe(ticketStatuses.length);
  expect(new Set(labels.map(({ tone }) => tone)).size).toBe(ticketStatuses.length);
});

test.each(['', 'cancelled', 'PENDING', 'approved ', 'constructor'])(
  '%j, which we do not know, is shown as pending',
  (status) => {
    expect(ticketStatusLabel(status).label).toBe('En attente');
  },
);
