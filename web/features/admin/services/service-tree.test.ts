import { describe, expect, test } from 'vitest';
import { searchedWords } from '#contract/fold.ts';
import { allBelow, orderAtEnd, parentChoices, pathOf, rowsOf, searchServices } from './service-tree.ts';
import { makeTree } from './test-services.ts';

/** 1 > 2 > 3 > 4 > 5, the last one final; 1 > 6, final; 7 without children. */
const tree = makeTree(
  { id: 1, isVisible: false },
  { id: 2, parentId: 1 },
  { id: 3, parentId: 2 },
  { id: 4, parentId: 3 },
  { id: 5, parentId: 4, isFinalLevel: true },
  { id: 6, parentId: 1, isFinalLevel: true },
  { id: 7 },
);
const idsOf = (services: readonly { id: number }[]) => services.map(({ id }) => id);

describe('the tree', () => {
  test('knows what is above and below a service', () => {
    expect(idsOf(pathOf(tree, 3))).toEqual([1, 2, 3]);
    expect(pathOf(tree, null)).toEqual([]);
    expect(pathOf(tree, 99)).toEqual([]);
    expect(idsOf(allBelow(tree, 1))).toEqual([2, 6, 3, 4, 5]);
    expect(allBelow(tree, 7)).toEqual([]);
  });

  test('puts a new service some steps behind the last one, within what the contract takes', () => {
    expect(orderAtEnd(tree, 7)).toBe(10);
    expect(orderAtEnd(makeTree({ id: 1, sortOrder: 40 }, { id: 2, sortOrder: 7 }), null)).toBe(50);
    expect(orderAtEnd(makeTree({ id: 1, sortOrder: 32_767 }), null)).toBe(32_767);
  });
});

test('a parent is no final service, no descendant, and leaves room for five levels', () => {
  expect(idsOf(parentChoices(tree, undefined))).toEqual([1, 2, 3, 4, 7]);
  expect(idsOf(parentChoices(tree, 1))).toEqual([]);
  expect(idsOf(parentChoices(tree, 2))).toEqual([1, 7]);
  expect(idsOf(parentChoices(tree, 7))).toEqual([1, 2, 3, 4]);
});

describe('the lines', () => {
  test('leave out what is under closed services', () => {
    expect(rowsOf(tree, () => false).map(({ service }) => service.id)).toEqual([1, 7]);
    expect(rowsOf(tree, (id) => id < 3).map(({ service }) => service.id)).toEqual([1, 2, 3, 6, 7]);
  });

  test('say where each stands, whether it is open, and whether something above hides it', () => {
    const [first, second, third] = rowsOf(tree, (id) => id === 1);
    expect(first).toMatchObject({ children: 2, isOpen: true, isHiddenAbove: false });
    expect(second).toMatchObject({ children: 1, isOpen: false, isHiddenAbove: true });
    expect(third).toMatchObject({ children: 0, isOpen: false, isHiddenAbove: true });
  });
});

const catalogue = makeTree(
  { id: 1, name: 'Télécom et mobile' },
  { id: 2, name: "Côte d'Ivoire", parentId: 1 },
  { id: 3, name: "Crédit d'appel", parentId: 2, isFinalLevel: true, phoneNumber: '#144*1*XX#' },
  { id: 4, name: 'Forfait', parentId: 2, isFinalLevel: true, description: 'Deux gigaoctets, une semaine' },
  { id: 5, name: "Factures d'eau" },
  { id: 6, name: "Côte d'Ivoire", parentId: 5 },
);

test.each<[typed: string, wanted: number[], open: number[]]>([
  ['CREDIT', [1, 2, 3], [1, 2]],
  ["cote d'ivoire", [1, 2, 3, 4, 5, 6], [1, 5]],
  ['gigaoctets', [1, 2, 4], [1, 2]],
  ['#144*', [1, 2, 3], [1, 2]],
  ['crédit semaine', [], []],
  ['mobile  crédit', [1, 2, 3], [1, 2]],
  ['côte\u00a0dʼivoire appel', [1, 2, 3], [1, 2]],
])('a search for %j finds services with the way to them open, and keeps what is below', (typed, wanted, open) => {
  const result = searchServices(catalogue, searchedWords(typed));
  expect([...result.wanted].sort()).toEqual(wanted);
  expect([...result.open].sort()).toEqual(open);
});
