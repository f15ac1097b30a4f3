import { asOnKeyboards } from './spelling.ts';

/**
 * A text in the form that searches compare: a plain keyboard's signs, lower case, no accents, ligatures as their letters. Each character
 * is folded independently.
 */
export const foldLetters = (text: string): string =>
  // NFKD would turn the first into a space with an accent, and the second into two primes.
  asOnKeyboards(text.replaceAll('´', "'").replaceAll('″', '"').normalize('NFKD'))
    .replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');

/** `foldLetters` with single spaces, and none at the ends. The SQL function `fold_text` answers the same. */
export const fold = (text: string): string => foldLetters(text).replace(/ +/g, ' ').trim();

/** The words of a search, folded. Words of signs only, such as the arrows of a copied path, are dropped if there are others. */
export function searchedWords(typed: string): string[] {
  const words = fold(typed).split(' ').filter(Boolean);
  const telling = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  return telling.length > 0 ? telling : words;
}
