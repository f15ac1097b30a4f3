/**
 * One text has many spellings: a phone's keyboard, a spreadsheet or a web page writes its own spaces, dashes and
 * apostrophes, adds marks that nobody sees, and composes letters or not. What is kept is in `shapes.ts`, what searches
 * compare in `fold.ts`.
 */

/** Marks that nobody sees: joiners, directions, variation selectors, soft hyphens, controls. */
const invisible = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const space = /[\s\x85\u2800]/g;
const dash = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63]/g;
/** Accents that stand alone, primes and the letters of African alphabets among them. */
const apostrophe = /[`\u00b4\u02b9\u02bb-\u02bd\u02c8\u2018-\u201b\u2032\u2035\ua78b\ua78c]/g;
const quote = /[«»\u201c-\u201f\u2033\u2039\u203a\u275d\u275e\u301d-\u301f]/g;
const fullWidth = /[\uff01-\uff5e]/g;

/** One kind of space, dash, apostrophe and quotation mark, and nothing invisible. */
export const asOnKeyboards = (text: string): string =>
  text.replace(invisible, '').replace(space, ' ').replace(dash, '-').replace(apostrophe, "'").replace(quote, '"');

/**
 * The same letters, digits and case as on a plain keyboard, full-width signs as ASCII. For what is read rather than kept,
 * such as a phone number.
 */
export const plain = (text: string): string =>
  asOnKeyboards(text.replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)));
