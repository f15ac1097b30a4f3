import type { ServiceTree } from './service-tree.ts';

/** A drop position relative to a service. */
export type Place = 'before' | 'inside' | 'after';

export interface Move {
  id: number;
  parentId: number | null;
  /** The ids of the parent's children after the move, in order. */
  ids: number[];
  /** The ids of the parent's children before it. */
  expectedIds: number[];
}

/** The move that puts a service beside or into another one; `undefined` if it is already there. */
export function moveTo(tree: ServiceTree, id: number, target: { id: number; place: Place }): Move | undefined {
  const service = tree.byId.get(id);
  const other = tree.byId.get(target.id);
  if (!service || !other || service === other) return undefined;
  const parentId = target.place === 'inside' ? other.id : other.parentId;
  const before = tree.childrenOf(parentId).map((each) => each.id);
  const rest = before.filter((each) => each !== id);
  const at = target.place === 'inside' ? rest.length : rest.indexOf(other.id) + (target.place === 'after' ? 1 : 0);
  const ids = rest.toSpliced(at, 0, id);
  return parentId === service.parentId && ids.every((each, index) => each === before[index])
    ? undefined
    : { id, parentId, ids, expectedIds: before };
}

/** The move that swaps a service with its neighbour among the siblings in `shown`; `undefined` at the end. */
export function moveBy(tree: ServiceTree, id: number, by: -1 | 1, shown: readonly number[]): Move | undefined {
  const neighbour = shown[shown.indexOf(id) + by];
  if (!shown.includes(id) || neighbour === undefined) return undefined;
  return moveTo(tree, id, { id: neighbour, place: by < 0 ? 'before' : 'after' });
}

/** The drop position on a row of the tree; `share` is the vertical position in the row, from 0 to 1. */
export function placeAt(share: number, line: { isFinal: boolean; isOpen: boolean }): Place {
  if (line.isFinal) return share < 0.5 ? 'before' : 'after';
  if (share < 0.3) return 'before';
  // Below an open service come its children.
  return share > 0.7 && !line.isOpen ? 'after' : 'inside';
}
