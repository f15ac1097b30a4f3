/** One line of a table, and of what is printed as JSON. */
export type Row = Record<string, string | number | boolean>;
/** What a bench found, by name. */
export type Rows = Record<string, Row>;

/** The smallest value that at least this share of all are not above (nearest rank); NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The one in the middle; of an even number the mean of the two there. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

/** The median of `a` by `b`, round by round: what disturbed a round disturbed both. Throws when they had not the same rounds. */
export function medianRatio(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new Error(`${a.length} rounds beside ${b.length}`);
  return median(a.map((value, round) => value / (b[round] as number)));
}

/** By how much `y` grows with each 1 of `x`, by least squares; NaN where all `x` are the same. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean('x'), mean('y')];
  const above = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return above / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

/** With three digits that count, and no more than a whole number has. */
export function round(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** What was asked for of a figure; nothing where it is only told. */
export type Asked = { atLeast: number } | { atMost: number } | { below: number };

/** A figure beside what was asked for. */
export function figure(value: number, asked?: Asked, more: Row = {}): Row {
  return { measured: round(value), 'asked for': asked ? wordsOf(asked) : '', holds: verdict(value, asked), ...more };
}

function wordsOf(asked: Asked): string {
  if ('atLeast' in asked) return `≥ ${round(asked.atLeast)}`;
  return 'atMost' in asked ? `≤ ${round(asked.atMost)}` : `< ${round(asked.below)}`;
}

function verdict(value: number, asked: Asked | undefined): string {
  if (!asked) return '';
  const holds =
    'atLeast' in asked ? value >= asked.atLeast : 'atMost' in asked ? value <= asked.atMost : value < asked.below;
  return holds ? 'yes' : 'NO';
}
