import { parseArgs } from 'node:util';

/** One line of a table, and of what is printed as JSON. */
export type Row = Record<string, string | number>;
/** What a bench found, by name. */
export type Rows = Record<string, Row>;

/** The numbers of a command line, such as those of `--rounds 3`, in place of these. Throws on any other word. */
export function readNumbers<Numbers extends Record<string, number>>(args: string[], usual: Numbers): Numbers {
  const options = Object.fromEntries(Object.keys(usual).map((name) => [name, { type: 'string' } as const]));
  const given = Object.entries(parseArgs({ args, options }).values).map(([name, text]) => [name, Number(text)]);
  return { ...usual, ...Object.fromEntries(given) };
}

/** The smallest value that at least this share of all are not above (nearest rank); NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The median of `a` by `b`, round by round: what slows the machine in a round slows both. Throws where the rounds differ. */
export function medianRatio(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new Error(`${a.length} rounds beside ${b.length}`);
  return median(a.map((value, round) => value / (b[round] as number)));
}

/** With three significant digits, and no more than a whole number has. */
export function round(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** A figure, whether it meets its target, and more columns. */
export function figure(value: number, target?: { atLeast: number } | { below: number }, more: Row = {}): Row {
  if (!target) return { measured: round(value), target: '', holds: '', ...more };
  const [bound, holds] =
    'atLeast' in target
      ? [`≥ ${round(target.atLeast)}`, value >= target.atLeast]
      : [`< ${round(target.below)}`, value < target.below];
  return { measured: round(value), target: bound, holds: holds ? 'yes' : 'NO', ...more };
}
