import type { Service } from '#contract/catalogue.ts';

/** The services from the root down to one of them, itself last. */
export type ServicePath = readonly [...Service[], Service];

/** The path of each service of a complete catalogue, in the catalogue's order. */
export function pathsOf(catalogue: readonly Service[]): ServicePath[] {
  const paths = new Map<number, ServicePath>();
  // Parents come before their children.
  for (const service of catalogue) {
    const above = service.parentId === null ? [] : paths.get(service.parentId);
    if (above) paths.set(service.id, [...above, service]);
  }
  return [...paths.values()];
}
