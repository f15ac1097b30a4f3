/** In em: at least the character width of any monospaced font on phones and desktops. */
const characterWidth = 0.62;

/** A code split after each `*`, the only places where a line may break. */
export function codePieces(code: string): string[] {
  return code.match(/[^*]*\*|[^*]+$/g) ?? [];
}

/** The smallest part of its size to which a code shrinks to save a line. */
const leastPart = 0.8;

/** The length of a code's longest line, in characters, when it is split evenly into so many lines. */
function lineLength(pieces: string[], lines: number): number {
  if (lines === 1) return pieces.join('').length;
  const lengths = pieces.slice(0, -1).map((_, last) => {
    const first = pieces.slice(0, last + 1).join('').length;
    return Math.max(first, lineLength(pieces.slice(last + 1), lines - 1));
  });
  return lengths.length === 0 ? lineLength(pieces, 1) : Math.min(...lengths);
}

/** The `font-size` of a code in a query container: it fits the longest piece, and shrinks where that makes one line or two. */
export function codeSize(code: string, largest: string): string {
  const pieces = codePieces(code);
  const sizeOf = (length: number) => `100cqi / ${(Math.max(1, length) * characterWidth).toFixed(2)}`;
  const fewer = [1, 2].map((lines) => {
    const size = sizeOf(lineLength(pieces, lines));
    // A huge value where shrinking would go too far, so that `min()` ignores it.
    return `max(${size}, (${largest} * ${leastPart} - ${size}) * 999)`;
  });
  const longest = Math.max(1, ...pieces.map((piece) => piece.length));
  return `min(${[largest, `calc(${sizeOf(longest)})`, ...fewer].join(', ')})`;
}
