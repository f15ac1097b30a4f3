import { describe, expect, test } from 'vitest';
import { readMeanings, readMessage } from './read-search.ts';

const nothing = { ids: [], name: [], ending: undefined, total: undefined, reference: undefined };

describe('what a person says', () => {
  test.each([
    ['70 31 00 01', { ids: [70310001], ending: '70310001', reference: '70310001' }],
    ['+226 70 31 00 01', { ending: '22670310001', reference: undefined }],
    ['0022670310001', { ending: '22670310001' }],
    ['5100', { total: 5100, ending: '5100', reference: '5100' }],
    ['12 530 FCFA', { total: 12530, ids: [], ending: undefined }],
    ['1.050,00 F', { total: 1050 }],
    ['1,050.00 XOF', { total: 1050 }],
    ['10\u202f482', { ids: [10482], total: 10482 }],
    ['pp261122.1402.b77', { reference: 'PP2611221402B77', name: ['pp261122.1402.b77'] }],
    ['PP261122 1402 B77', { reference: 'PP2611221402B77' }],
    ['Aïcha Ouédraogo', { name: ['Aïcha', 'Ouédraogo'], reference: undefined }],
  ])('%s', (search, meanings) => {
    expect(readMeanings(search)).toMatchObject(meanings);
  });

  test.each(['%', 'ab', '()', '…'])('%s is nothing of this', (search) => {
    expect(readMeanings(search)).toEqual(nothing);
  });
});

describe('an SMS', () => {
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
  ])('%s', (text, message) => {
    expect(readMessage(text)).toMatchObject(message);
  });

  test('one word, or words without digits, are none', () => {
    expect(readMessage('PP261122.1402.B77')).toBeUndefined();
    expect(readMessage('Aïcha Ouédraogo')).toBeUndefined();
    expect(readMessage('70 31 00 01')).toBeUndefined();
  });
});
