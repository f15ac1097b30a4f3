/** Text in lower case, without accents, each run of white space as one space. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").replace(/\s+/g, ' ').trim();
}
