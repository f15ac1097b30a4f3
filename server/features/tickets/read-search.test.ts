import { describe, expect, test } from 'vitest';
import { readMeanings } from './read-search.ts';

describe('what a person says', () => {
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
  ])('%s', (search, meanings) => {
    expect(readMeanings(search)).toMatchObject(meanings);
  });
});
