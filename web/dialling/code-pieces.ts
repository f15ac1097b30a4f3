/** Of the character's height: as wide as a character of any of the phones' and desks' fixed-width faces is, at the most. */
const characterWidth = 0.62;

/** A code's pieces, each with the `*` that ends it: between them alone may a line end, never inside a number. */
export function codePieces(code: string): string[] {
  return code.match(/[^*]*\*|[^*]+$/g) ?? [];
}

/** The `font-size` at which a code's longest piece is as wide as what is around it, a query container; `largest` at most. */
export function codeSize(code: string, largest: string): string {
  const longest = Math.max(1, ...codePieces(code).map((piece) => piece.length));
  return `min(${largest}, calc(100cqi / ${(longest * characterWidth).toFixed(2)}))`;
}
