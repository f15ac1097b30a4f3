/**
 * One text has many spellings. Phone keyboards, spreadsheets and web pages write different spaces, dashes and apostrophes, add invisible
 * characters, and compose letters or not. `shapes.ts` has the stored form, `fold.ts` the form that searches compare.
 */

/** Invisible characters: joiners, directions, variation selectors, soft hyphens, controls. */
const invisible = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const space = /[\s\x85\u2800]/g;
const dash = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63]/g;
/** Apostrophe-like signs, including standalone accents, primes and letters of African alphabets. */
const apostrophe = /[`\u00b4\u02b9\u02bb-\u02bd\u02c8\u2018-\u201b\u2032\u2035\ua78b\ua78c]/g;
const quote = /[«»\u201c-\u201f\u2033\u2039\u203a\u275d\u275e\u301d-\u301f]/g;
const fullWidth = /[\uff01-\uff5e]/g;

/** A text with one kind of space, dash, apostrophe and quotation mark, and no invisible characters. */
export const asOnKeyboards = (text: string): string =>
  text.replace(invisible, '').replace(space, ' ').replace(dash, '-').replace(apostrophe, "'").replace(quote, '"');

/** A text as on a plain keyboard, with full-width signs as ASCII. For values that are read rather than stored, such as a phone number. */
export const plain = (text: string): string =>
  asOnKeyboards(text.replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)));
