/**
 * The numbers from 1 to `last` whose digits hold these digits in a row; `undefined` when there are more than `atMost`. Each is
 * some digits, or none, then these, then some more, or none.
 */
export function numbersWith(digits: string, last: number, atMost: number): number[] | undefined {
  const found = new Set<number>();
  const places = String(last).length;
  const shift = 10 ** digits.length;
  for (let after = 0; after <= places - digits.length; after += 1) {
    const step = 10 ** after;
    // A number does not begin with a zero.
    for (let above = digits.startsWith('0') ? 1 : 0; ; above += 1) {
      const first = (above * shift + Number(digits)) * step;
      if (first > last) break;
      for (let number = first; number < first + step && number <= last; number += 1) found.add(number);
      if (found.size > atMost) return undefined;
    }
  }
  return [...found];
}
