import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchedWords } from '#contract/fold.ts';
import { markedParts, searchServices } from './search-services.ts';
import { makeTree } from './test-services.ts';

const tree = makeTree(
  { id: 1, name: 'Télécom et mobile' },
  { id: 2, name: "Côte d'Ivoire", parentId: 1 },
  { id: 3, name: "Crédit d'appel", parentId: 2, isFinalLevel: true, phoneNumber: '#144*1*XX#' },
  { id: 4, name: 'Forfait', parentId: 2, isFinalLevel: true, description: 'Deux gigaoctets, une semaine' },
  { id: 5, name: 'Factures' },
  { id: 6, name: "Électricité de Côte d'Ivoire", parentId: 5 },
  { id: 7, name: 'Facture', parentId: 6, isFinalLevel: true },
);
const search = (typed: string) => searchServices(tree, searchedWords(typed));

describe('a search', () => {
  test.each<[typed: string, wanted: number[], open: number[]]>([
    ['CREDIT', [1, 2, 3], [1, 2]],
    ["cote d'ivoire", [1, 2, 3, 4, 5, 6, 7], [1, 5]],
    ['gigaoctets', [1, 2, 4], [1, 2]],
    ['#144*', [1, 2, 3], [1, 2]],
    ['appel crédit', [1, 2, 3], [1, 2]],
    ['crédit semaine', [], []],
    ['mobile  crédit', [1, 2, 3], [1, 2]],
    ['Télécom et mobile → Forfait', [1, 2, 4], [1, 2]],
    ['factures côte d’Ivoire', [5, 6, 7], [5]],
    ['côte\u00a0dʼivoire appel', [1, 2, 3], [1, 2]],
  ])('for %j finds services with the way to them open, and keeps what is below', (typed, wanted, open) => {
    const result = search(typed);
    expect([...result.wanted].sort()).toEqual(wanted);
    expect([...result.open].sort()).toEqual(open);
  });

  test('counts what it finds, and leaves out what stands beside it', () => {
    expect(search('facture')).toMatchObject({ found: 2 });
    expect([...search('facture').wanted].sort()).toEqual([5, 6, 7]);
    expect(search('ivoire')).toMatchObject({ found: 2 });
  });

  test('of blanks looks for nothing', () => {
    expect(searchedWords('  \u00a0 ')).toEqual([]);
  });
});

describe('marks', () => {
  test.each([
    ["Crédit d'appel", 'credit', ['[Crédit]', " d'appel"]],
    ["Crédit d'appel", "d'AP pel", ['Crédit ', "[d'appel]"]],
    ['Électricité', 'ele', ['[Éle]', 'ctricité']],
    ['e\u0301te\u0301', 'ete', ['[e\u0301te\u0301]']],
    ['aaa', 'aa', ['[aa]', 'a']],
    ['📱 Orange', 'orange', ['📱 ', '[Orange]']],
    ['Orange', 'x', ['Orange']],
    ['', 'x', []],
  ])('in %j what %j looks for', (text, typed, parts) => {
    const marked = markedParts(text, searchedWords(typed)).map((part) => (part.isFound ? `[${part.text}]` : part.text));
    expect(marked).toEqual(parts);
  });

  test('leave the text as it is, and never stand beside one another', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ minLength: 1, maxLength: 2 })),
        (text, words) => {
          const parts = markedParts(text, words.flatMap(searchedWords));
          expect(parts.map((part) => part.text).join('')).toBe(text);
          expect(parts.every((part, index) => part.isFound !== parts[index + 1]?.isFound)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
