import { describe, expect, test } from 'vitest';
import { countryOfPath, findDoubts } from './order-doubts.ts';

const order = { serviceId: 7, path: ['Divers'], beneficiary: '+22676123456', total: 1050, payerCountry: '+226' };
const ticket = {
  id: 12,
  status: 'pending' as const,
  serviceId: 7,
  beneficiaryPhoneNumber: '+22676123456',
  totalPrice: '1050',
};

test('an order equal to one that is pending is doubted', () => {
  expect(findDoubts(order, [ticket])).toEqual(['Vous avez déjà cette demande en attente (n°\u00a012).']);
});

test.each([
  { status: 'approved' as const },
  { status: 'rejected' as const },
  { serviceId: 8 },
  { serviceId: null },
  { beneficiaryPhoneNumber: '+22676123457' },
  { totalPrice: '1051' },
])('an order beside one with %j is not', (other) => {
  expect(findDoubts(order, [{ ...ticket, ...other }])).toEqual([]);
});

test.each([
  ['Burkina Faso', 'BF'],
  ['Crédit Côte d’Ivoire', 'CI'],
  ["COTE D'IVOIRE", 'CI'],
  ['Envoi vers le Sénégal', 'SN'],
  ['Mali et Niger', undefined],
  ['Nigeria', undefined],
  ['Nigelec', undefined],
  ['Orange', undefined],
])('the country of %j is %s', (name, iso) => {
  expect(countryOfPath(['Télécom', name])?.iso).toBe(iso);
});

describe('the country', () => {
  const ivorian = "Ce numéro est de Côte d'Ivoire, et le service est pour le Burkina Faso.";
  const own = 'Ce numéro est du Burkina Faso, votre pays, et le service est pour un autre pays.';
  test.each([
    ['+2250701234567', ['Burkina Faso', 'Électricité'], [ivorian]],
    ['+22676123456', ['Burkina Faso', 'Électricité'], []],
    ['+22676123456', ["Côte d'Ivoire"], ["Ce numéro est du Burkina Faso, et le service est pour la Côte d'Ivoire."]],
    ['+2250701234567', ['Burkina Faso', 'Mali'], []],
    ['+2250701234567', ['Burkina Faso', 'Envoi vers un autre pays'], []],
    ['+2250701234567', ['Burkina Faso', 'Sous-région'], []],
    ['+22676123456', ['Envoi vers un pays voisin'], [own]],
    ['+22676123456', ['Burkina Faso', 'Envoi international'], [own]],
    ['+22676123456', ['Forfait appels internationaux'], []],
    ['+2250701234567', ['Envoi vers un pays voisin'], []],
  ])('of %s for %j raises %j', (beneficiary, path, doubts) => {
    expect(findDoubts({ ...order, beneficiary, path }, [])).toEqual(doubts);
  });
});

describe('the operator', () => {
  const moov = "Ce numéro semble être d'Orange, et le service est de Moov Africa.";
  test.each([
    ['+22676123456', ['Moov Africa', "Crédit d'appel"], [moov]],
    ['+22670123456', ['Moov Africa', 'Forfaits internet', 'Forfait 7 jours'], []],
    ['+22670123456', ['Dépôt Orange Money'], ["Ce numéro semble être de Moov, et le service est d'Orange."]],
    ['+22890112345', ['Mixx by Yas', 'Dépôt'], []],
    ['+22676123456', ['Dépôt sur compte bancaire', 'Depuis Moov Money'], []],
    ['+22676123456', ['Moov Money', 'Envoi national'], []],
    ['+22676123456', ['Crédit Orange ou Moov'], []],
    ['+22366000000', ['Moov Africa', "Crédit d'appel"], []],
  ])('of %s for %j raises %j', (beneficiary, path, doubts) => {
    expect(findDoubts({ ...order, beneficiary, path }, [])).toEqual(doubts);
  });
});

test('all doubts are asked together', () => {
  const path = ['Burkina Faso', 'Moov Africa', "Crédit d'appel"];
  const beneficiary = '+2250701234567';
  const earlier = [{ ...ticket, beneficiaryPhoneNumber: beneficiary }];
  expect(findDoubts({ ...order, path, beneficiary }, earlier)).toHaveLength(3);
});
