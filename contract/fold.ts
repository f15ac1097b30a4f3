import { asOnKeyboards } from './spelling.ts';

/**
 * A text as searches compare it: as on keyboards, in lower case, without accents, ligatures and compatibility forms as
 * their letters. Each character gives what it gives alone.
 */
export const foldLetters = (text: string): string =>
  // NFKD makes a space with an accent of the first, and two primes of the second.
  asOnKeyboards(text.replaceAll('´', "'").replaceAll('″', '"').normalize('NFKD'))
    .replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');

/** `foldLetters` with single spaces, and none at the ends. The SQL function `fold_text` answers the same. */
export const fold = (text: string): string => foldLetters(text).replace(/ +/g, ' ').trim();

/** The words of a search, folded. Signs alone, such as the arrows of a copied path, count only where nothing else is typed. */
export function searchedWords(typed: string): string[] {
  const words = fold(typed).split(' ').filter(Boolean);
  const telling = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  return telling.length > 0 ? telling : words;
}
