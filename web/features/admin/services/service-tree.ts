import type { AdminService } from '#contract/catalogue.ts';
import { maximumLevel } from '#contract/shapes.ts';

export interface ServiceTree {
  services: readonly AdminService[];
  byId: ReadonlyMap<number, AdminService>;
  /** The direct children of a service, or the roots for null, in order. */
  childrenOf: (id: number | null) => readonly AdminService[];
}

/** Optimistic orders, not yet confirmed by the server: the ids of the children of a service, or of null. */
export type Orders = ReadonlyMap<number | null, readonly number[]>;

/** The contract's limit. */
const highestOrder = 32_767;

const none: readonly AdminService[] = [];

/** The tree of ordered services, with the given orders applied. */
export function buildTree(services: readonly AdminService[], orders: Orders = new Map()): ServiceTree {
  const children = new Map<number | null, AdminService[]>();
  for (const service of services) {
    const siblings = children.get(service.parentId);
    if (siblings) siblings.push(service);
    else children.set(service.parentId, [service]);
  }
  for (const [parentId, ids] of orders) {
    // Services created since the order come after it.
    const placeOf = ({ id }: AdminService) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
    children.get(parentId)?.sort((a, b) => placeOf(a) - placeOf(b));
  }
  return {
    services,
    byId: new Map(services.map((service) => [service.id, service])),
    childrenOf: (id) => children.get(id) ?? none,
  };
}

/** The services from the root to this one; empty if it does not exist. */
export function pathOf(tree: ServiceTree, id: number | null): AdminService[] {
  const path: AdminService[] = [];
  for (let at = tree.byId.get(id ?? 0); at; at = tree.byId.get(at.parentId ?? 0)) path.unshift(at);
  return path;
}

/** All descendants of a service, breadth first. */
export function allBelow(tree: ServiceTree, id: number): AdminService[] {
  const below = [...tree.childrenOf(id)];
  for (const each of below) below.push(...tree.childrenOf(each.id));
  return below;
}

/** Whether a service, or a new one, may have this parent, or be a root, with all its descendants. */
export function mayStandUnder(tree: ServiceTree, id: number | undefined, parentId: number | null): boolean {
  if (parentId === null) return true;
  const parent = tree.byId.get(parentId);
  if (!parent || parent.isFinalLevel) return false;
  const service = id === undefined ? undefined : tree.byId.get(id);
  const below = service ? allBelow(tree, service.id) : [];
  if (parentId === id || below.some((each) => each.id === parentId)) return false;
  const height = Math.max(0, ...below.map((each) => each.level - (service?.level ?? 0)));
  return parent.level + 1 + height <= maximumLevel;
}

/** The allowed parents of a service, or a new one, each followed by its descendants. */
export function parentChoices(tree: ServiceTree, id: number | undefined): AdminService[] {
  const withAllBelow = (service: AdminService): AdminService[] => [
    service,
    ...tree.childrenOf(service.id).flatMap(withAllBelow),
  ];
  return tree
    .childrenOf(null)
    .flatMap(withAllBelow)
    .filter((service) => mayStandUnder(tree, id, service.id));
}

/** A sort order after all siblings, with a gap for later insertions. */
export function orderAtEnd(tree: ServiceTree, parentId: number | null): number {
  return Math.min(highestOrder, Math.max(0, ...tree.childrenOf(parentId).map((each) => each.sortOrder)) + 10);
}

/** The newer of two versions of a service; the second may be unknown. */
export const newerVersion = (one: string, other = one) => (Date.parse(other) > Date.parse(one) ? other : one);

/** A displayed row of the tree. */
export interface TreeRow {
  service: AdminService;
  children: number;
  isOpen: boolean;
  /** The position among the displayed siblings, from 1. */
  position: number;
  siblings: number;
  /** Hidden by a hidden ancestor. */
  isHiddenAbove: boolean;
}

/**
 * The rows from top to bottom, without the children of closed services and without services that the search excludes.
 */
export function rowsOf(
  tree: ServiceTree,
  isOpen: (id: number) => boolean,
  isWanted: (id: number) => boolean = () => true,
): TreeRow[] {
  const below = (parentId: number | null, isHiddenAbove: boolean): TreeRow[] => {
    const wanted = tree.childrenOf(parentId).filter(({ id }) => isWanted(id));
    return wanted.flatMap((service, index) => {
      const children = tree.childrenOf(service.id).filter(({ id }) => isWanted(id)).length;
      const opened = children > 0 && isOpen(service.id);
      return [
        { service, children, isOpen: opened, position: index + 1, siblings: wanted.length, isHiddenAbove },
        ...(opened ? below(service.id, isHiddenAbove || !service.isVisible) : []),
      ];
    });
  };
  return below(null, false);
}
