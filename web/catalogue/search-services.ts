import type { Service } from '#contract/catalogue.ts';
import { fold, searchedWords } from '#contract/fold.ts';
import { countries } from '#contract/phone.ts';
import { synonymsOf } from './search-synonyms.ts';
import { pathsOf, type ServicePath } from './service-paths.ts';

export interface CountryGroup {
  /** Empty for services of no country. */
  country: string;
  paths: ServicePath[];
}

/** Paths by the country that they name: one's own first, then those of none, then the others as they come. */
export function groupByCountry(paths: readonly ServicePath[], own: string): CountryGroup[] {
  const names = new Map(countries.map(({ name }) => [fold(name), name]));
  const groups = new Map<string, ServicePath[]>();
  for (const path of paths) {
    const said = path.flatMap(({ name, description }) => [name, description?.split(',')[0] ?? '']);
    const country = said.map((words) => names.get(fold(words.trim()))).find((name) => name !== undefined) ?? '';
    const group = groups.get(country);
    if (group) group.push(path);
    else groups.set(country, [path]);
  }
  const rank = (country: string) => (country === own ? 0 : country === '' ? 1 : 2);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b)).map(([country, those]) => ({ country, paths: those }));
}

/** How well a service matches: 0 its name begins with the search, 1 contains all of it, 2 it needs the path, 3 and more a synonym. */
function rankOf({ name, whole }: { name: string; whole: string }, words: readonly string[]): number {
  if (!words.every((word) => whole.includes(word))) return words.some((word) => name.includes(word)) ? 3 : 4;
  if (!words.every((word) => name.includes(word))) return 2;
  return name.startsWith(words[0] as string) ? 0 : 1;
}

/** Words that say nothing of a service; a search without another match does without them. */
const small = /^(?:[ld]'|de|du|des|le|la|les|un|une|et|en|au|aux|a|chez|vers|pour|par|sur|dans|avec|mon|ma|mes)$/;
/** Shorter words with a wrong letter are other words. */
const typoLength = 4;

/** Whether a word begins with the typed one, but for one letter: wrong, missing, too many, or swapped with the next. */
function isTypoOf(word: string, typed: string): boolean {
  if (typed.length < typoLength) return false;
  let same = 0;
  while (same < typed.length && word[same] === typed[same]) same += 1;
  const rest = word.slice(same);
  const [wrong = '', next = ''] = typed.slice(same);
  const after = typed.slice(same + 1);
  const swapped = next + wrong + after.slice(1);
  return (
    rest.slice(1).startsWith(after) ||
    rest.slice(1).startsWith(wrong + after) ||
    rest.startsWith(after) ||
    rest.startsWith(swapped)
  );
}

export interface Found {
  paths: ServicePath[];
  /** Whether no service has every word, and these are the nearest ones. */
  isNear: boolean;
}

/**
 * Searches a catalogue for services whose name or path contains every typed word, in any spelling, or a synonym of it. Names
 * that begin with the search come first, then names that contain it, then services below them, then synonyms. Equals keep the catalogue's
 * order; an empty search finds none. If no service has all the words, those with the most words are found, at least all
 * but one, with one typo per word.
 */
export function makeSearch(catalogue: readonly Service[]): (typed: string) => Found {
  const entries = pathsOf(catalogue).map((path) => ({
    path,
    name: fold(path.at(-1)?.name ?? ''),
    whole: path.map(({ name }) => fold(name)).join('\n'),
  }));
  /** The nearest services for words that none has all of. */
  const findNear = (words: readonly string[]): ServicePath[] => {
    const asked = words.filter((word) => !small.test(word));
    const counted = entries.map(({ path, whole }) => {
      const own = whole.split(/[^\p{L}\p{N}]+/u);
      const holds = (word: string) => whole.includes(word) || own.some((each) => isTypoOf(each, word));
      return { path, count: asked.filter(holds).length };
    });
    const most = Math.max(1, asked.length - 1, ...counted.map(({ count }) => count));
    return counted.filter(({ count }) => count === most).map(({ path }) => path);
  };
  return (typed) => {
    const words = searchedWords(typed);
    if (words.length === 0) return { paths: [], isNear: false };
    const asked = words.map((word) => [word, ...synonymsOf(word)]);
    const paths = entries
      .filter(({ whole }) => asked.every((forms) => forms.some((form) => whole.includes(form))))
      .map((entry) => ({ path: entry.path, rank: rankOf(entry, words) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ path }) => path);
    return paths.length > 0 ? { paths, isNear: false } : { paths: findNear(words), isNear: true };
  };
}
