import type { Service } from '#contract/catalogue.ts';
import { fold } from './fold.ts';

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

const wordsOf = (text: string) => fold(text).split(/\s+/).filter(Boolean);

/** How well a name matches: 0 begins with the search, 1 contains all of it, 2 needs the path. */
function rankOf(name: string, words: readonly string[]): number {
  if (!words.every((word) => name.includes(word))) return 2;
  return name.startsWith(words[0] as string) ? 0 : 1;
}

/**
 * Searches a catalogue for services whose name or path contains every typed word, ignoring case and accents. Names that
 * begin with the search come first, then names that contain it, then services below them. Equals keep the catalogue's
 * order; an empty search finds none.
 */
export function makeSearch(catalogue: readonly Service[]): (typed: string) => ServicePath[] {
  const entries = pathsOf(catalogue).map((path) => ({
    path,
    name: fold(path.at(-1)?.name ?? ''),
    whole: fold(path.map(({ name }) => name).join('\n')),
  }));
  return (typed) => {
    const words = wordsOf(typed);
    if (words.length === 0) return [];
    return entries
      .filter(({ whole }) => words.every((word) => whole.includes(word)))
      .map(({ path, name }) => ({ path, rank: rankOf(name, words) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ path }) => path);
  };
}
