import type { AdminService } from '#contract/catalogue.ts';
import { fold } from '#contract/fold.ts';
import { maximumLevel } from '#contract/shapes.ts';

export interface ServiceTree {
  services: readonly AdminService[];
  byId: ReadonlyMap<number, AdminService>;
  /** The direct children of a service, or the roots for null, in order. */
  childrenOf: (id: number | null) => readonly AdminService[];
}

/** The contract's limit. */
const highestOrder = 32_767;

const none: readonly AdminService[] = [];

/** The tree of ordered services. */
export function buildTree(services: readonly AdminService[]): ServiceTree {
  const children = new Map<number | null, AdminService[]>();
  for (const service of services) {
    const siblings = children.get(service.parentId);
    if (siblings) siblings.push(service);
    else children.set(service.parentId, [service]);
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

/** The allowed parents of a service, or a new one, each followed by its descendants. */
export function parentChoices(tree: ServiceTree, id: number | undefined): AdminService[] {
  const below = id === undefined ? [] : allBelow(tree, id);
  const own = new Set([id, ...below.map((each) => each.id)]);
  const height = Math.max(0, ...below.map(({ level }) => level - (tree.byId.get(id ?? 0)?.level ?? 0)));
  const withAllBelow = (service: AdminService): AdminService[] => [
    service,
    ...tree.childrenOf(service.id).flatMap(withAllBelow),
  ];
  return tree
    .childrenOf(null)
    .flatMap(withAllBelow)
    .filter((each) => !each.isFinalLevel && !own.has(each.id) && each.level + 1 + height <= maximumLevel);
}

/** A sort order after all siblings, with a gap for later insertions. */
export function orderAtEnd(tree: ServiceTree, parentId: number | null): number {
  return Math.min(highestOrder, Math.max(0, ...tree.childrenOf(parentId).map((each) => each.sortOrder)) + 10);
}

/** A displayed row of the tree. */
export interface TreeRow {
  service: AdminService;
  children: number;
  isOpen: boolean;
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
    return wanted.flatMap((service) => {
      const children = tree.childrenOf(service.id).filter(({ id }) => isWanted(id)).length;
      const opened = children > 0 && isOpen(service.id);
      return [
        { service, children, isOpen: opened, isHiddenAbove },
        ...(opened ? below(service.id, isHiddenAbove || !service.isVisible) : []),
      ];
    });
  };
  return below(null, false);
}

export interface SearchResult {
  found: ReadonlySet<number>;
  /** The matches, their ancestors, and their descendants, unless a deeper match narrows them. */
  wanted: ReadonlySet<number>;
  /** The ancestors of matches, shown open. */
  open: ReadonlySet<number>;
}

/** The services whose name, description or code contains every word, or some while their path's names have the others. */
export function searchServices(tree: ServiceTree, words: readonly string[]): SearchResult {
  const found = tree.services.filter(({ name, description, phoneNumber, parentId }) => {
    const own = fold([name, description, phoneNumber ?? ''].join('\n'));
    const others = words.filter((word) => !own.includes(word));
    if (others.length === 0 || others.length === words.length) return others.length === 0;
    const above = pathOf(tree, parentId).map((each) => fold(each.name));
    return others.every((word) => above.some((each) => each.includes(word)));
  });
  const open = new Set(found.flatMap(({ parentId }) => pathOf(tree, parentId).map(({ id }) => id)));
  const below = found.filter(({ id }) => !open.has(id)).flatMap(({ id }) => allBelow(tree, id).map((each) => each.id));
  const ids = found.map(({ id }) => id);
  return { found: new Set(ids), wanted: new Set([...ids, ...open, ...below]), open };
}
