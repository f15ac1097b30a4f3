import { expect, test } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import { lastOrders, suggestServices } from './own-orders.ts';

const order = (serviceId: number, beneficiaryPhoneNumber = '+22670112233') => ({
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
  expect(lastOrders([{ servicePath: [], beneficiaryPhoneNumber: '+22670112233' }], 2)).toEqual([]);
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
