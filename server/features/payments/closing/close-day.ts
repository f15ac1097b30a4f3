import type { ClosingFigures } from '#contract/closings.ts';
import type { ToldLine } from '#server/features/payments/intake/lines.ts';

/** The facts of an account's line that concern balances. */
export type DayLine = Pick<ToldLine, 'paidAt' | 'reference' | 'direction' | 'gross' | 'fee' | 'balanceAfter'> & {
  id: number;
};

/** A line's change of the balance, in hundredths: without its fee (`plain`) and with it (`charged`). Operators differ. */
type Effects = readonly [plain: number, charged: number];
type Way = 0 | 1;
type ChainLine = DayLine & { balance: number; effects: Effects };

/** Lines this near in time may be in any order: messages of a minute are unordered, and a phone's clock may be off by minutes. */
export const nearMs = 10 * 60_000;
/** Most lines that are compared at once. */
const dueAtMost = 100;
/** Allowed difference of balances in hundredths: some operators give four decimals. */
const rounding = 5;

/**
 * Follows a wallet's balances through a day. `lines` are the day's, with some before it, for the opening balance, and some after it,
 * which a clock may have misplaced; in any order. A gap is where no line follows from a balance. Lines without a balance count towards
 * the next one with a balance. The closing balance is the opening one plus what came in, minus what went out, plus the gaps.
 */
export function closeDay(lines: readonly DayLine[], { from, to }: { from: Date; to: Date }) {
  const isOfDay = ({ paidAt }: DayLine) => paidAt >= from && paidAt < to;
  const inOrder = lines
    .toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime() || a.id - b.id)
    .map((line): ChainLine => ({ ...line, balance: line.balanceAfter ?? 0, effects: effectsOf(line) }));
  const remaining = inOrder.filter(({ balanceAfter }) => balanceAfter !== null);
  const untold = inOrder.filter(({ balanceAfter }) => balanceAfter === null);
  const isBlind = remaining.every(({ paidAt }) => paidAt >= to);
  const passed: number[] = [];
  const gaps: ClosingFigures['gaps'] = [];
  const moved = { in: 0, out: 0 };
  let first: number | null = null;
  let at: ChainLine | undefined;
  let way: Way = 1;

  const move = ({ effects }: ChainLine) => {
    moved.in += Math.max(0, effects[way]);
    moved.out += Math.max(0, -effects[way]);
  };
  /** The lines up to the day's first balance, where none is known before it. */
  let opening: readonly ChainLine[] = [];
  /** Appends lines up to the next one with a balance. */
  const pass = (next: readonly ChainLine[]) => {
    if (!at) opening = next.some(isOfDay) ? next.filter(({ paidAt }) => paidAt >= from) : [];
    else {
      if (opening.length === 0 && next.some(isOfDay)) first ??= at.balance;
      if (opening.length > 0 || first !== null) next.forEach(move);
    }
    for (const line of next) if (line.balanceAfter !== null) remaining.splice(remaining.indexOf(line), 1);
    passed.push(...next.flatMap(({ balanceAfter }) => balanceAfter ?? []));
  };

  while (remaining[0] && remaining.some(({ paidAt }) => paidAt < to)) {
    const until = remaining[0].paidAt.getTime() + nearMs;
    const isDue = ({ paidAt }: DayLine) => paidAt.getTime() <= until;
    const due = remaining.slice(0, dueAtMost).filter(isDue);
    const next: ReturnType<typeof findNext> = at && findNext(at.balance, due, untold.filter(isDue), way);
    const round = next ? [] : findRound(passed.slice(-dueAtMost), due);
    if (next) {
      way = next.way;
      pass([...untold.splice(0, next.count), next.line]);
      at = next.line;
    } else if (round.length > 0) pass(round);
    else {
      const line = findHead(due, at?.balance, way);
      const waiting = untold.splice(0, countBefore(line, untold));
      const missing = [...waiting, line].reduce(
        (left, { effects }) => left - effects[way],
        line.balance - (at?.balance ?? 0),
      );
      if (at && isOfDay(line)) gaps.push({ before: sideOf(at), after: sideOf(line), missing });
      pass([...waiting, line]);
      at = line;
    }
  }
  // By now it is known whether fees reduce this wallet's balances.
  if (opening.length > 0)
    first = opening.reduce((left, { effects }) => left - effects[way], opening.at(-1)?.balance ?? 0);
  opening.forEach(move);
  // Without any balance every line of the day counts.
  if (isBlind) untold.splice(0).filter(isOfDay).forEach(move);
  const left = untold.filter(isOfDay);
  const last = at?.balance ?? null;
  return { first: first ?? last, last, ...moved, outside: { count: left.length, sum: sumOf(left) }, gaps };
}

function effectsOf({ direction, gross, fee }: DayLine): Effects {
  const [amount, charged] = [gross * 100, fee ?? 0];
  if (direction === 'in') return [amount, amount - charged];
  if (direction === 'out') return [-amount, -amount - charged];
  const taken = direction === 'fee' ? (fee ?? amount) : amount;
  return [-taken, -taken];
}

const sumOf = (lines: readonly DayLine[]) => lines.reduce((sum, { gross }) => sum + gross, 0);
const sideOf = ({ id, paidAt, reference, balance }: ChainLine) => ({
  id,
  paidAt: paidAt.toISOString(),
  reference,
  balance,
});

/** The way, with or without the fee, that explains a change of the balance; undefined if neither does. */
function wayOf(change: number, effects: Effects, usual: Way = 1): Way | undefined {
  const ways: Way[] = usual === 1 ? [1, 0] : [0, 1];
  return ways.find((way) => Math.abs(change - effects[way]) <= rounding);
}

const follows = (balance: number, line: ChainLine) => wayOf(line.balance - balance, line.effects) !== undefined;

const countBefore = ({ paidAt }: DayLine, untold: readonly DayLine[]) =>
  untold.filter((each) => each.paidAt <= paidAt).length;

/** The first line that follows from a balance, with the lines without a balance that come before it. These may have later times. */
function findNext(
  balance: number,
  due: readonly ChainLine[],
  untold: readonly ChainLine[],
  usual: Way,
): { line: ChainLine; count: number; way: Way } | undefined {
  const sums: Effects[] = [[0, 0]];
  for (const { effects } of untold) {
    const [plain, charged] = sums.at(-1) as Effects;
    sums.push([plain + effects[0], charged + effects[1]]);
  }
  for (const line of due)
    for (const count of [countBefore(line, untold), ...sums.keys()]) {
      const [plain, charged] = sums[count] as Effects;
      const way = wayOf(line.balance - balance, [plain + line.effects[0], charged + line.effects[1]], usual);
      if (way !== undefined) return { line, count, way };
    }
  return undefined;
}

/**
 * Lines that lead from a recent balance back to it, or none. If several lines follow from one balance, the chosen one may have come after
 * these.
 */
function findRound(passed: readonly number[], due: readonly ChainLine[]): ChainLine[] {
  for (const start of due) {
    const from = passed.find((balance) => follows(balance, start));
    const round = [start];
    for (let last: ChainLine | undefined = start; from !== undefined && last; ) {
      if (Math.abs(last.balance - from) <= rounding) return round;
      const { balance }: ChainLine = last;
      last = due.find((line) => !round.includes(line) && follows(balance, line));
      if (last) round.push(last);
    }
  }
  return [];
}

/** The first unexplained line that follows from no other; within its minute the one with the nearest balance. */
function findHead(due: readonly ChainLine[], balance = 0, way: Way): ChainLine {
  const heads = due.filter((line) => !due.some((other) => other !== line && follows(other.balance, line)));
  const first = (heads[0] ?? due[0]) as ChainLine;
  const minuteOf = ({ paidAt }: DayLine) => Math.floor(paidAt.getTime() / 60_000);
  const missing = (line: ChainLine) => Math.abs(line.balance - balance - line.effects[way]);
  return heads
    .filter((line) => minuteOf(line) === minuteOf(first))
    .reduce((best, line) => (missing(line) < missing(best) ? line : best), first);
}
