/** The full-width forms are those of East Asian keyboards, which spreadsheets take for the others. */
const starts = '=+\\-@\\t\\r＝＋－＠';
const guarded = new RegExp(`^'*[${starts}]`);
const unguarded = new RegExp(`^'+[${starts}]`);

/**
 * A cell of a CSV file: what a spreadsheet would run as a formula gets an apostrophe, as do apostrophes before a formula, so that
 * it can be undone. See https://owasp.org/www-community/attacks/CSV_Injection.
 */
export const guardCell = (cell: string): string => (guarded.test(cell) ? `'${cell}` : cell);
export const unguardCell = (cell: string): string => (unguarded.test(cell) ? cell.slice(1) : cell);
