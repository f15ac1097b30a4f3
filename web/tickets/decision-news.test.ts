import { describe, expect, test } from 'vitest';
import { changedDecisions, type DecidedTicket, wordDecisions } from './decision-news.ts';

const ticket = (id: number, status: DecidedTicket['status'], minute = 0): DecidedTicket => ({
  id,
  status,
  updatedAt: `2026-11-28T12:${String(minute).padStart(2, '0')}:00.000Z`,
  totalPrice: '5100',
  rejectReason: status === 'rejected' ? 'Montant différent.' : null,
  servicePath: [
    { id: 1, level: 1, name: 'Télévision', price: null },
    { id: 2, level: 2, name: `Service ${id}`, price: '5 000 F' },
  ],
});

describe('what is news', () => {
  const read = (...answers: DecidedTicket[][]) => {
    const known = new Map<number, DecidedTicket>();
    return answers.map((answer) => changedDecisions(known, answer).map(({ id, status }) => `${id} ${status}`));
  };

  test('a first answer is none, and one decision is told once', () => {
    expect(
      read(
        [ticket(1, 'pending'), ticket(2, 'approved'), ticket(3, 'rejected')],
        [ticket(1, 'approved', 1), ticket(2, 'approved'), ticket(4, 'approved', 1)],
        [ticket(1, 'approved', 1)],
      ),
    ).toEqual([[], ['1 approved'], []]);
  });

  test('an answer that was overtaken says nothing, nor does the next one again', () => {
    expect(
      read([ticket(1, 'pending')], [ticket(1, 'approved', 2)], [ticket(1, 'pending')], [ticket(1, 'approved', 2)]),
    ).toEqual([[], ['1 approved'], [], []]);
  });

  test('a decision that is changed is told, a declaration is not', () => {
    expect(
      read([ticket(1, 'pending')], [ticket(1, 'pending', 1)], [ticket(1, 'approved', 2)], [ticket(1, 'rejected', 3)]),
    ).toEqual([[], [], ['1 approved'], ['1 rejected']]);
  });
});

describe('its words', () => {
  const plain = (text: string | undefined) => text?.replace(/\s/g, ' ');
  const words = (...tickets: DecidedTicket[]) => {
    const { title, description, destructive = false } = wordDecisions(tickets);
    return [plain(title), plain(description), destructive];
  };

  test.each([
    [[ticket(7, 'approved')], 'Approuvé : Service 7', '5 100 FCFA · ticket n° 7', false],
    [[ticket(7, 'rejected')], 'Rejeté : Service 7', 'Motif : Montant différent.', true],
    [
      [{ ...ticket(7, 'rejected'), rejectReason: null }],
      'Rejeté : Service 7',
      'Aucun motif indiqué. Contactez-nous.',
      true,
    ],
    [[ticket(7, 'approved'), ticket(8, 'approved')], '2 demandes approuvées', '10 200 FCFA au total', false],
    [
      [ticket(7, 'approved'), ticket(8, 'rejected'), ticket(9, 'approved')],
      '3 demandes décidées',
      '2 approuvées, 1 rejetée. Les motifs sont sur vos tickets.',
      true,
    ],
    [[ticket(7, 'rejected'), ticket(8, 'rejected')], '2 demandes rejetées', 'Les motifs sont sur vos tickets.', true],
  ])('%#', (tickets, title, description, isDestructive) => {
    expect(words(...tickets)).toEqual([title, description, isDestructive]);
  });
});
