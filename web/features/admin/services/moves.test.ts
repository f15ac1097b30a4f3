import { describe, expect, test } from 'vitest';
import { moveBy, moveTo, type Place, placeAt } from './moves.ts';
import { makeTree } from './test-services.ts';

const tree = makeTree({ id: 1 }, { id: 2 }, { id: 3 }, { id: 4, parentId: 1 }, { id: 5, parentId: 1 });

describe('a service that is dropped', () => {
  test.each<[id: number, target: number, place: Place, parentId: number | null, ids: number[]]>([
    [3, 1, 'before', null, [3, 1, 2]],
    [1, 3, 'after', null, [2, 3, 1]],
    [1, 3, 'before', null, [2, 1, 3]],
    [4, 5, 'after', 1, [5, 4]],
    [3, 4, 'after', 1, [4, 3, 5]],
    [3, 1, 'inside', 1, [4, 5, 3]],
    [4, 1, 'inside', 1, [5, 4]],
    [5, 2, 'inside', 2, [5]],
    [5, 1, 'before', null, [5, 1, 2, 3]],
  ])('%i on %i, %s: under %s, in the order %j', (id, target, place, parentId, ids) => {
    expect(moveTo(tree, id, { id: target, place })).toEqual({
      id,
      parentId,
      ids,
      expectedIds: tree.childrenOf(parentId).map((each) => each.id),
    });
  });

  test.each<[id: number, target: number, place: Place]>([
    [1, 2, 'before'],
    [2, 1, 'after'],
    [5, 1, 'inside'],
    [1, 1, 'after'],
    [9, 1, 'after'],
    [1, 9, 'after'],
  ])('%i on %i, %s, stays', (id, target, place) => {
    expect(moveTo(tree, id, { id: target, place })).toBeUndefined();
  });
});

describe('a service that goes by one place', () => {
  test('passes its neighbour', () => {
    expect(moveBy(tree, 2, -1, [1, 2, 3])?.ids).toEqual([2, 1, 3]);
    expect(moveBy(tree, 2, 1, [1, 2, 3])?.ids).toEqual([1, 3, 2]);
  });

  test('passes those, too, that a search does not show', () => {
    expect(moveBy(tree, 3, -1, [1, 3])?.ids).toEqual([3, 1, 2]);
  });

  test('stays at the end, and where it is not shown', () => {
    expect(moveBy(tree, 1, -1, [1, 2, 3])).toBeUndefined();
    expect(moveBy(tree, 3, 1, [1, 2, 3])).toBeUndefined();
    expect(moveBy(tree, 3, -1, [1, 2])).toBeUndefined();
  });
});

test.each<[share: number, isFinal: boolean, isOpen: boolean, place: Place]>([
  [0.1, false, false, 'before'],
  [0.5, false, false, 'inside'],
  [0.9, false, false, 'after'],
  [0.9, false, true, 'inside'],
  [0.4, true, false, 'before'],
  [0.6, true, false, 'after'],
])('held at %d of a line (final: %s, open: %s) it would go %s', (share, isFinal, isOpen, place) => {
  expect(placeAt(share, { isFinal, isOpen })).toBe(place);
});
