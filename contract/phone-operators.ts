/**
 * The operator that assigned a mobile number, by its prefix. It is a guess, since numbers are portable in Côte d'Ivoire and Togo.
 * Prefixes from google/libphonenumber, resources/carrier/en, under the operators' present names.
 */
const prefixes: readonly [operator: string, numbers: RegExp][] = [
  ['Orange', /^\+226(?:55|6[4-7]|7[4-7])|^\+22507|^\+2237|^\+22177/],
  ['Moov', /^\+226(?:6[0-3]|7[0-3])|^\+22501|^\+22794|^\+22901(?:45|55|58|6[03458]|9[4589])|^\+228(?:79|9[689])/],
  ['MTN', /^\+22505|^\+22901(?:42|46|5[0-4679]|6[12679]|9[0167])/],
  ['Telecel', /^\+226(?:6[89]|7[89])/],
  ['Airtel', /^\+227(?:89|9[6-9])/],
  ['Yas', /^\+228(?:7[01]|9[0-37])|^\+22176/],
];

/** The operator of an E.164 number by its prefix; undefined for an unknown prefix. */
export function operatorOf(e164: string): string | undefined {
  return prefixes.find(([, numbers]) => numbers.test(e164))?.[0];
}
