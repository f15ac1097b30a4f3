import { describe, expect, test } from 'vitest';
import { allBelow, buildTree, mayStandUnder, orderAtEnd, parentChoices, pathOf, rowsOf } from './service-tree.ts';
import { makeAdminService, makeTree } from './test-services.ts';

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

  test('keeps the order in which services come, but where another one is given; who came since is behind', () => {
    const services = [1, 2, 3, 4].map((id) => makeAdminService({ id }));
    expect(idsOf(buildTree(services).childrenOf(null))).toEqual([1, 2, 3, 4]);
    expect(idsOf(buildTree(services, new Map([[null, [3, 1, 9, 2]]])).childrenOf(null))).toEqual([3, 1, 2, 4]);
  });

  test('puts a new service some steps behind the last one, within what the contract takes', () => {
    expect(orderAtEnd(tree, 7)).toBe(10);
    expect(orderAtEnd(makeTree({ id: 1, sortOrder: 40 }, { id: 2, sortOrder: 7 }), null)).toBe(50);
    expect(orderAtEnd(makeTree({ id: 1, sortOrder: 32_767 }), null)).toBe(32_767);
  });
});

describe('a service stands', () => {
  test.each<[why: string, id: number | undefined, parentId: number | null, may: boolean]>([
    ['at the top', 5, null, true],
    ['under another branch', 6, 7, true],
    ['not under itself', 2, 2, false],
    ['not under what is below it', 2, 4, false],
    ['not under a final one', 7, 6, false],
    ['not under one that is not there', 7, 99, false],
    ['not on a sixth level, it', undefined, 5, false],
    ['not on a sixth level, what is below it', 2, 7, true],
    ['not on a sixth level, what is below it', 1, 7, false],
  ])('%s: %s under %s', (_, id, parentId, may) => {
    expect(mayStandUnder(tree, id, parentId)).toBe(may);
  });

  test('under one of its choices, each followed by those below it', () => {
    expect(idsOf(parentChoices(tree, undefined))).toEqual([1, 2, 3, 4, 7]);
    expect(idsOf(parentChoices(tree, 2))).toEqual([1, 7]);
    expect(idsOf(parentChoices(tree, 7))).toEqual([1, 2, 3, 4]);
  });
});

describe('the lines', () => {
  test('leave out what is under closed services', () => {
    expect(rowsOf(tree, () => false).map(({ service }) => service.id)).toEqual([1, 7]);
    expect(rowsOf(tree, (id) => id < 3).map(({ service }) => service.id)).toEqual([1, 2, 3, 6, 7]);
  });

  test('say where each stands, whether it is open, and whether something above hides it', () => {
    const [first, second, third] = rowsOf(tree, (id) => id === 1);
    expect(first).toMatchObject({ position: 1, siblings: 2, children: 2, isOpen: true, isHiddenAbove: false });
    expect(second).toMatchObject({ position: 1, siblings: 2, children: 1, isOpen: false, isHiddenAbove: true });
    expect(third).toMatchObject({ position: 2, siblings: 2, children: 0, isOpen: false, isHiddenAbove: true });
  });

  test('count only what is wanted', () => {
    const rows = rowsOf(
      tree,
      () => true,
      (id) => [1, 6].includes(id),
    );
    expect(rows).toMatchObject([
      { service: { id: 1 }, children: 1, siblings: 1 },
      { service: { id: 6 }, position: 1, siblings: 1 },
    ]);
  });
});
