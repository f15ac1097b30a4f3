/** Of the character's height: as wide as a character of any of the phones' and desks' fixed-width faces is, at the most. */
const characterWidth = 0.62;

/** A code's pieces, each with the `*` that ends it: between them alone may a line end, never inside a number. */
export function codePieces(code: string): string[] {
  return code.match(/[^*]*\*|[^*]+$/g) ?? [];
}

/** How much of its largest size a code gives up to take a line less. */
const leastShare = 0.85;

/** How many characters a code's longest line has when it takes so many lines, broken where they are most alike. */
function lineLength(pieces: string[], lines: number): number {
  if (lines === 1) return pieces.join('').length;
  const lengths = pieces.slice(0, -1).map((_, last) => {
    const first = pieces.slice(0, last + 1).join('').length;
    return Math.max(first, lineLength(pieces.slice(last + 1), lines - 1));
  });
  return lengths.length === 0 ? lineLength(pieces, 1) : Math.min(...lengths);
}

/**
 * The `font-size` of a code in what is around it, a query container: `largest` at most, as wide as its longest piece at the most,
 * and a little smaller where it takes one or two lines for that.
 */
export function codeSize(code: string, largest: string): string {
  const pieces = codePieces(code);
  const sizeOf = (length: number) => `100cqi / ${(Math.max(1, length) * characterWidth).toFixed(2)}`;
  const fewer = [1, 2].map((lines) => {
    const size = sizeOf(lineLength(pieces, lines));
    // So large that it never is the smallest, where it would be too small.
    return `max(${size}, (${largest} * ${leastShare} - ${size}) * 999)`;
  });
  const longest = Math.max(1, ...pieces.map((piece) => piece.length));
  return `min(${[largest, `calc(${sizeOf(longest)})`, ...fewer].join(', ')})`;
}
