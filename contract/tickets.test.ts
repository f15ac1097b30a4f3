import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { maximumAmount } from './money.ts';
import { changeTicketStatus, createTicket, listTickets, ticketStatuses } from './tickets.ts';

const asked = {
  serviceId: 3,
  servicePath: [{ id: 1 }, { id: 3 }],
  beneficiaryPhoneNumber: '70 12 34 56',
  paymentTypeName: 'Orange Money',
  totalPrice: 1100,
};
const read = (change: object) => z.safeParse(createTicket.body, { ...asked, ...change });

describe('filing a ticket', () => {
  test('takes what a browser sends (P8.5), and drops the status it claims', () => {
    const sent = {
      ...asked,
      userId: 7,
      totalPrice: '1100',
      status: 'approved',
      amount: 1,
      commission: 0,
      servicePath: [
        { id: 1, name: 'Transfert', price: '0 F' },
        { id: 3, name: 'Envoi' },
      ],
    };
    expect(z.parse(createTicket.body, sent)).toEqual({ ...asked, userId: 7 });
  });

  test.each([
    ['1100', 1100],
    [1100, 1100],
    ['1 100 FCFA', 1100],
    ['1\u202F100 F', 1100],
    ['1\u202F100\u00A0F\u202FCFA', 1100],
    [2 * maximumAmount, 2 * maximumAmount],
  ])('the total %j is %d francs', (totalPrice, expected) => {
    expect(read({ totalPrice }).data?.totalPrice).toBe(expected);
  });

  test.each(['', -5, '1100.5', '1100,50', '1e3', 2 * maximumAmount + 1, null, true, [1100]])(
    'the total %j is refused',
    (totalPrice) => {
      expect(read({ totalPrice }).success).toBe(false);
    },
  );

  test('a total is whole and in range, or refused, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double(), fc.integer(), fc.double().map(String)), (totalPrice) => {
        const total = read({ totalPrice }).data?.totalPrice;
        if (total !== undefined) expect(Number.isInteger(total) && total >= 0 && total <= 2 * maximumAmount).toBe(true);
      }),
    );
  });

  test.each([
    [{ beneficiaryPhoneNumber: ' ' }, 'Veuillez saisir le numéro du bénéficiaire.'],
    [{ paymentTypeName: '' }, 'Type de paiement requis'],
    [{ servicePath: [] }, 'Le service est requis.'],
  ])('%j is refused with its sentence', (change, message) => {
    expect(read(change).error?.issues[0]?.message).toBe(message);
  });

  test.each([
    [{ serviceId: 0 }],
    [{ serviceId: '3' }],
    [{ servicePath: 'not json' }],
    [{ servicePath: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }, { id: 6 }] }],
    [{ servicePath: [{ name: 'Envoi' }] }],
    [{ beneficiaryPhoneNumber: '7'.repeat(41) }],
    [{ userPrice: 0 }],
    [{ userPrice: -1 }],
    [{ userPrice: '1000' }],
    [{ userPrice: maximumAmount + 1 }],
    [{ userId: 0 }],
  ])('%j is refused', (change) => {
    expect(read(change).success).toBe(false);
  });
});

test('changing a status goes to approved or rejected; pending is only where a ticket begins', () => {
  expect(ticketStatuses).toEqual(['pending', 'approved', 'rejected']);
  for (const status of ['approved', 'rejected'])
    expect(z.parse(changeTicketStatus.body, { status })).toEqual({ status });
  for (const status of ['pending', 'done', '', null])
    expect(z.safeParse(changeTicketStatus.body, { status }).success).toBe(false);
});

test('the list of tickets is filtered by instants, status, user and search', () => {
  const from = '2026-11-21T00:00:00.000Z';
  expect(z.parse(listTickets.query, { from, to: from, status: 'pending', userId: '7', search: ' Envoi ' })).toEqual({
    limit: 100,
    from,
    to: from,
    status: 'pending',
    userId: 7,
    search: 'Envoi',
  });
  for (const wrong of [{ from: '2026-11-21' }, { to: 'hier' }, { status: 'done' }, { userId: 'x' }, { search: 'a\0' }])
    expect(z.safeParse(listTickets.query, wrong).success, JSON.stringify(wrong)).toBe(false);
});
