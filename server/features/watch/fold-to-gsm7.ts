/** The basic alphabet of GSM 03.38, whose characters count once; those of its extension would count twice, and are left out. */
const alphabet: ReadonlySet<string> = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** What French writes that is neither a letter with a mark nor in the alphabet. */
const others: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '«': '"',
  '»': '"',
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  œ: 'oe',
  Œ: 'OE',
  ç: 'c',
  '€': 'EUR',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '·': '-',
  '→': '>',
};

/**
 * A text in the GSM-7 alphabet, each character counting once, as near to its French as that allows: a letter loses a mark
 * that the alphabet does not have, quotes become straight, spaces plain. What has no likeness becomes a question mark.
 */
export function foldToGsm7(text: string): string {
  const foldOne = (character: string): string => {
    if (alphabet.has(character)) return character;
    const other = others[character];
    if (other !== undefined) return other;
    if (/\s/u.test(character)) return ' ';
    const bare = character.normalize('NFD').replace(/\p{M}/gu, '');
    return alphabet.has(bare) ? bare : '?';
  };
  return Array.from(text.normalize('NFC'), foldOne)
    .join('')
    .replace(/" ([^"]*) "/g, '"$1"');
}
