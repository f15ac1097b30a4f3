import type { AdminService } from '#contract/catalogue.ts';
import { fold, foldLetters } from '#contract/fold.ts';
import { allBelow, pathOf, type ServiceTree } from './service-tree.ts';

/** A folded text, and the original index of each of its characters. */
function foldInPlace(text: string): { folded: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const letters = foldLetters(character);
    folded += letters;
    for (let count = letters.length; count > 0; count -= 1) places.push(place);
    place += character.length;
  }
  return { folded, places };
}

/** Splits a text into parts, with the search words marked; joined, the parts are the text. */
export function markedParts(text: string, words: readonly string[]): { text: string; isFound: boolean }[] {
  const { folded, places } = foldInPlace(text);
  const found = Array<boolean>(text.length).fill(false);
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      found.fill(true, places[at], places[at + word.length] ?? text.length);
  const parts: { text: string; isFound: boolean }[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    const isFound = found[start] ?? false;
    while (end < text.length && found[end] === isFound) end += 1;
    parts.push({ text: text.slice(start, end), isFound });
  }
  return parts;
}

export interface SearchResult {
  found: number;
  /** The matches, their ancestors, and their descendants, unless a deeper match narrows them. */
  wanted: ReadonlySet<number>;
  /** The ancestors of matches, shown open. */
  open: ReadonlySet<number>;
}

/** The services whose name, description or code contains every word, or some while their path's names have the others. */
export function searchServices(tree: ServiceTree, words: readonly string[]): SearchResult {
  const found = tree.services.filter((service) => {
    const own = fold(searchedText(service));
    const others = words.filter((word) => !own.includes(word));
    if (others.length === 0 || others.length === words.length) return others.length === 0;
    const above = pathOf(tree, service.parentId).map(({ name }) => fold(name));
    return others.every((word) => above.some((name) => name.includes(word)));
  });
  const open = new Set(found.flatMap(({ parentId }) => pathOf(tree, parentId).map(({ id }) => id)));
  const below = found.filter(({ id }) => !open.has(id)).flatMap(({ id }) => allBelow(tree, id).map((each) => each.id));
  return { found: found.length, wanted: new Set([...found.map(({ id }) => id), ...open, ...below]), open };
}

const searchedText = ({ name, description, phoneNumber }: AdminService) =>
  [name, description, phoneNumber ?? ''].join('\n');
