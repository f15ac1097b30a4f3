/** A text in lower case, without accents, with straight apostrophes, for searching. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase().replaceAll('œ', 'oe');
}
