import { expect, test } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import type { TicketStatus } from '#contract/tickets.ts';
import { lastOrders, ordersToMend, splitWaiting, suggestServices } from './own-orders.ts';

const order = (serviceId: number, beneficiaryPhoneNumber = '+22670112233', status: TicketStatus = 'approved') => ({
  status,
  servicePath: [
    { id: 1, name: 'Racine', price: null, level: 1 },
    { id: serviceId, name: `Service ${serviceId}`, price: null, level: 2 },
  ],
  beneficiaryPhoneNumber,
});
test('the last orders are different ones: another service, or another beneficiary', () => {
  const [first, same, other, third] = [order(2), order(2), order(2, '+22676000000'), order(3)];
  expect(lastOrders([first, same, other, third], 2)).toEqual([first, other]);
  expect(lastOrders([first, same], 2)).toEqual([first]);
  expect(lastOrders([], 2)).toEqual([]);
  expect(lastOrders([{ ...order(2), servicePath: [] }], 2)).toEqual([]);
});

test('the last orders are approved ones, and none that still waits', () => {
  const [waiting, own, other] = [order(2, '+22670112233', 'pending'), order(2), order(2, '+22676000000')];
  const rejected = order(3, '+22670112233', 'rejected');
  expect(lastOrders([waiting, own, other, rejected], 4)).toEqual([other]);
  expect(lastOrders([own, waiting], 4)).toEqual([]);
  expect(lastOrders([own, rejected], 4)).toEqual([own]);
});

test('a rejected order is to mend while it is new and was not made again', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 28, 12, minutes)).toISOString();
  const rejected = (serviceId: number, minutes: number) => ({
    ...order(serviceId, undefined, 'rejected'),
    updatedAt: at(minutes),
  });
  const again = { ...order(2, undefined, 'pending'), updatedAt: at(9) };
  const since = Date.parse(at(5));
  const [mended, open, old] = [rejected(2, 8), rejected(3, 7), rejected(4, 4)];
  expect(ordersToMend([again, mended, open, old], since)).toEqual([open]);
  expect(ordersToMend([mended, rejected(2, 6), again], since)).toEqual([mended]);
});

test('what waits is to be paid, declared, or has no code to dial, the newest first in each', () => {
  const ticket = (
    id: number,
    fields: { dialCode?: string | null; paymentDeclaredAt?: string; status?: TicketStatus },
  ) => ({
    id,
    status: 'pending' as TicketStatus,
    dialCode: '*144#' as string | null,
    paymentDeclaredAt: null as string | null,
    ...fields,
  });
  const at = '2026-11-28T12:00:00.000Z';
  const all = [
    ticket(9, { paymentDeclaredAt: at }),
    ticket(8, { dialCode: null }),
    ticket(7, {}),
    ticket(6, { status: 'approved' }),
    ticket(5, { dialCode: null, paymentDeclaredAt: at }),
    ticket(4, {}),
    ticket(3, { status: 'rejected' }),
  ];
  const { toPay, declared, uncoded } = splitWaiting(all);
  const ids = (tickets: { id: number }[]) => tickets.map(({ id }) => id);
  expect([ids(toPay), ids(declared), ids(uncoded)]).toEqual([[7, 4], [9, 5], [8]]);
});

test('a newcomer is offered the final service most asked for of each family, of their country where it has one', () => {
  const named = (id: number, name: string, parentId: number | null, isFinalLevel = false, demand?: number) =>
    ({ id, name, parentId, isFinalLevel, demand }) as Service;
  const all = [
    named(1, 'Télécom', null),
    named(2, 'Factures', null),
    named(3, 'Vide', null),
    named(9, 'Tout de suite', null, true),
    named(4, 'Mali', 1),
    named(5, 'Bénin', 1),
    named(6, 'Eau', 2, true),
    named(7, 'Crédit', 4, true),
    named(8, 'Crédit', 5, true),
    named(10, 'Forfait', 5, true, 2),
    named(11, 'Appels', 5, true, 7),
    named(12, 'Gaz', 2, true, 1),
  ];
  const ids = (country: string, most = 4) => suggestServices(all, country, most).map((path) => path.at(-1)?.id);
  expect(ids('Bénin')).toEqual([10, 12]);
  expect(ids('benin')).toEqual([10, 12]);
  expect(ids('Mali')).toEqual([7, 12]);
  expect(ids('Togo')).toEqual([10, 12]);
  expect(ids('Togo', 1)).toEqual([10]);
  expect(suggestServices([], 'Togo', 4)).toEqual([]);
});
