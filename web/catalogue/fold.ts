/** A text without accents and capitals, its apostrophes straight, so that what people type finds what was written. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase().replaceAll('œ', 'oe');
}
