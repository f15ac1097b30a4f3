import type { ServiceTree } from './service-tree.ts';

/** Where something is dropped on a service: before it, after it, or into it. */
export type Place = 'before' | 'inside' | 'after';

/** A service in its new place. */
export interface Move {
  id: number;
  parentId: number | null;
  /** All that stand under the parent then, in their order. */
  ids: number[];
  /** All that stood there before. */
  expectedIds: number[];
}

/** The move that puts a service beside or into another one; nothing where it stands there already. */
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

/** The move that puts a service past its neighbour, `shown` being the siblings in sight; nothing at the end of them. */
export function moveBy(tree: ServiceTree, id: number, by: -1 | 1, shown: readonly number[]): Move | undefined {
  const neighbour = shown[shown.indexOf(id) + by];
  if (!shown.includes(id) || neighbour === undefined) return undefined;
  return moveTo(tree, id, { id: neighbour, place: by < 0 ? 'before' : 'after' });
}

/** Where something would be dropped on a line of the tree, `share` being how far down the line it is held, from 0 to 1. */
export function placeAt(share: number, line: { isFinal: boolean; isOpen: boolean }): Place {
  if (line.isFinal) return share < 0.5 ? 'before' : 'after';
  if (share < 0.3) return 'before';
  // Under an open service begins what is in it.
  return share > 0.7 && !line.isOpen ? 'after' : 'inside';
}
