import { otpLength } from '#contract/auth.ts';

/** ASCII digits, full-width ones, and the two rows of Arabic ones: the last four bits of each are its value. */
const digit = /[0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;

const digitsIn = (text: string) => Array.from(text.match(digit) ?? [], (each) => String(each.charCodeAt(0) & 15));

/** The digits of a code, one per box, padded with empty ones. Whatever stands between them and after them is dropped. */
export function spreadCode(text: string): string[] {
  const digits = digitsIn(text);
  return Array.from({ length: otpLength }, (_, index) => digits[index] ?? '');
}

/**
 * The boxes once one of them has the value `typed`, and the box to go on in. A keyboard writes its suggestion into the
 * box that has the focus, before or behind that box's digit: it is the whole code.
 */
export function enterDigits(code: readonly string[], index: number, typed: string): { code: string[]; next: number } {
  const before = code[index];
  const digits = digitsIn(typed);
  const hasOld = before !== '' && digits.length > 1 && digits.length !== otpLength;
  if (hasOld && digits[0] === before) digits.shift();
  else if (hasOld && digits.at(-1) === before) digits.pop();
  if (digits.length >= otpLength) return { code: spreadCode(digits.join('')), next: otpLength - 1 };
  const next = [...code];
  if (digits.length === 0) next[index] = '';
  for (const [offset, each] of digits.entries()) if (index + offset < otpLength) next[index + offset] = each;
  return { code: next, next: Math.min(index + digits.length, otpLength - 1) };
}
