import { expect, test } from 'vitest';
import { readMeanings, readMessage } from './read-search.ts';

test.each([
  ['70 31 00 01', { ids: [70310001], ending: '70310001', reference: '70310001' }],
  ['+226 70 31 00 01', { ending: '22670310001', reference: undefined }],
  ['0022670310001', { ending: '22670310001' }],
  ['70/31/00/01', { ending: '70310001' }],
  ['tel:+22670310001', { ending: '22670310001' }],
  ['\u202a70−31−00−01\u202c', { ending: '70310001' }],
  ['１２ ５３０ Ｆ', { total: 12530 }],
  ['5100', { total: 5100, ending: '5100', reference: '5100' }],
  ['12 530 FCFA', { total: 12530, ids: [], ending: undefined }],
  ['1.050,00 F', { total: 1050 }],
  ['1,050.00 XOF', { total: 1050 }],
  ['10\u202f482', { ids: [10482], total: 10482 }],
  ['pp261122.1402.b77', { reference: 'PP2611221402B77', name: ['pp261122.1402.b77'] }],
  ['PP261122 1402 B77', { reference: 'PP2611221402B77' }],
  ['Aïcha Ouédraogo', { name: ['Aïcha', 'Ouédraogo'], reference: undefined }],
])('what a person says: %s', (search, meanings) => {
  expect(readMeanings(search)).toMatchObject(meanings);
});

test.each([
  [
    'Vous avez recu 1050.00 FCFA du 76000001, OUEDRAOGO AICHA. Nouveau solde: 15250.00 FCFA. Trans ID: PP261122.1402.B77.',
    {
      ids: [],
      totals: [1050, 15250],
      phones: expect.arrayContaining(['+22676000001']),
      references: expect.arrayContaining(['PP2611221402B77']),
    },
  ],
  [
    'Transfert reussi. Montant : 25 500 F CFA. De 07 01 23 45 67 12/11/2026. Ref : MP261112.0907.A55',
    {
      ids: [],
      totals: [25500],
      phones: ['+2250701234567'],
      references: expect.arrayContaining(['MP2611120907A55']),
    },
  ],
  [
    'Paiement de XOF 5,000 par +221 77 513 84 78 70 11 22 33',
    { totals: [5000], phones: expect.arrayContaining(['+221775138478', '+22670112233']) },
  ],
  ['Bonjour, ma demande n° 1\u202f234 attend depuis hier', { ids: [1234], totals: [], phones: [] }],
  ['Et le ticket 77 ?', { ids: [77] }],
])('an SMS: %s', (text, message) => {
  expect(readMessage(text)).toMatchObject(message);
});
