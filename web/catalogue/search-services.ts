import type { Service } from '#contract/catalogue.ts';
import { fold } from './fold.ts';

/** The services from the root down to one of them, itself last. */
export type ServicePath = readonly [...Service[], Service];

/** The way to each service of a catalogue that stands in it whole, in the catalogue's order. */
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

/** How well a name fits: 0 when it begins with what is looked for, 1 when it holds all of it, 2 when its path is needed. */
function rankOf(name: string, words: readonly string[]): number {
  if (!words.every((word) => name.includes(word))) return 2;
  return name.startsWith(words[0] as string) ? 0 : 1;
}

/**
 * A search in a catalogue: the services whose name or path holds every word of what was typed, capitals and accents aside.
 * Names that begin with it come first, then those that hold it, then what stands below one that does; equals stay in the
 * catalogue's order. Without a word nothing is found.
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
