/** The example's merchant number, used until a real one is entered. No operator assigns it, so it pays nobody. */
export const placeholderMerchant = '00000000';

/** Whether a part of a code is the example's merchant number. For a template also whether it needs a merchant number that is missing. */
export function paysNobody(code: string, hasMerchant = true): boolean {
  return /[*#]\s*00000000\s*[*#]/.test(code) || (!hasMerchant && code.includes('{marchand}'));
}

/** A link that opens the phone's dialler with the code. `#` is written %23: the dialler drops everything after a plain `#`. */
export function dialHref(code: string): string {
  return `tel:${encodeURIComponent(code)}`;
}

/** What a person may report of a code that they dialled (P8.11). */
export const codeProblems = ['no-answer', 'invalid-code', 'amount-refused', 'other'] as const;
export type CodeProblem = (typeof codeProblems)[number];
