import type { PaymentPair } from '#contract/payments.ts';
import { readProposals } from '#server/features/payments/read-proposals.ts';
import { findOpenLines } from '#server/features/payments/store.ts';
import { type Day, type DayLine, makeDay } from './payment-day.ts';
import { type DayInput, makeInputs } from './payment-day-inputs.ts';
import { type DayPlace, inParallel } from './payment-day-place.ts';
import { isRight, lineFinder, type StoredLine, spellEnd, sufficientLines } from './payment-day-truth.ts';
import { Dice } from './payment-sms.ts';

/** What an administrator saw and did, who approves whatever is ticked for them and nothing else. */
export interface Approved {
  /** Lines of the day that were approved because they were ticked. */
  lines: Set<number>;
  /** Ticked pairs that the payer did not mean, in words. */
  wrong: Set<string>;
}

/** Now, at the beginning of a minute: times of the day are whole minutes apart in each of its runs. */
const thisMinute = () => Math.floor(Date.now() / 60_000) * 60_000;

const storedLines = `
  select l.id, a.label as account, l.direction, l.state, l.gross, l.reference, l.our_reference as "ourReference", l.payer,
    l.paid_at as "paidAt", l.balance_after::text as balance, l.seen_in as "seenIn", l.is_trusted as "isTrusted", l.anomaly,
    m.ticket_id as "ticketId", m.rule
  from payment_lines l join payment_accounts a on a.id = l.account_id
  left join payment_matches m on m.line_id = l.id and m.undone_at is null`;

/** Approves what is ticked, until nothing is. */
async function approveTicked(place: DayPlace, day: Day, approved: Approved): Promise<void> {
  const find = lineFinder(day);
  for (;;) {
    const { sure } = await place.ask<{ sure: PaymentPair[] }>('GET', '/api/admin/payments/proposals');
    const ticked = sure.filter(({ preTicked }) => preTicked);
    if (ticked.length === 0) return;
    for (const { line, ticket, rule } of ticked)
      note(day, approved, find({ ...line, paidAt: new Date(line.paidAt) }), { ticket: place.keyOf(ticket.id), rule });
    const pairs = ticked.map(({ line, ticket }) => ({ lineId: line.id, ticketId: ticket.id }));
    const { results } = await place.ask<{ results: { outcome: string; code?: string }[] }>(
      'POST',
      '/api/admin/payments/approvals',
      { pairs },
    );
    const refused = results.filter(({ outcome }) => outcome !== 'approved');
    if (refused.length > 0) throw new Error(`${refused.length} ticked pairs are not approved: ${refused[0]?.code}`);
  }
}

function note(
  day: Day,
  approved: Approved,
  line: DayLine | undefined,
  { ticket, rule }: { ticket: number | undefined; rule: string },
): void {
  const paid = day.tickets[(ticket ?? 0) - 1];
  if (line) approved.lines.add(line.key);
  if (paid && isRight(line, paid)) return;
  const faults = [...(line?.faults ?? []), ...(paid?.faults ?? [])].join(', ');
  approved.wrong.add(`${rule}: line ${line?.key ?? 'of a forger'} for ticket ${ticket} [${faults}]`);
}

/** What would be ticked if every line without a ticket were looked at, and not the newest alone. */
async function lookAtAll(place: DayPlace, day: Day, approved: Approved): Promise<void> {
  const { db } = place.connection;
  const find = lineFinder(day);
  const stored = new Map((await place.query<StoredLine>(storedLines)).map((line) => [line.id, line]));
  const open = await findOpenLines(db, stored.keys());
  for (let at = 0; at < open.length; at += 100) {
    const { sure } = await readProposals(db, open.slice(at, at + 100));
    for (const { lineId, ticketId, rule, preTicked } of sure) {
      const line = stored.get(lineId);
      if (preTicked && line) note(day, approved, find(line), { ticket: place.keyOf(ticketId), rule });
    }
  }
}

export interface DayFound {
  tickets: number;
  lines: number;
  /** Of the tickets, how many have an amount that another one has. */
  sharing: number;
  wrong: string[];
  /** Pairs whose evidence suffices and that are settled, and how many of these were ticked: on the screen, and at all. */
  sufficient: number;
  tickedOnScreen: number;
  ticked: number;
  /** Lines that are left for a person to look at. */
  left: number;
}

/** The day in its own order, in slots of time, after each of which an administrator approves what is ticked for them. */
export async function liveThrough(place: DayPlace, seed: number, count: number, slots: number): Promise<DayFound> {
  const now = thisMinute();
  const day = makeDay(seed, count, now);
  await place.start();
  await place.prepare(day);
  const approved: Approved = { lines: new Set(), wrong: new Set() };
  const first = Math.min(...day.tickets.map(({ filedAt }) => filedAt));
  let told = 0;
  let inputs: DayInput[] = [];
  for (let slot = 1; slot <= slots; slot += 1) {
    const [from, to] = [slot - 1, slot].map((each) =>
      each === 0 ? 0 : each === slots ? now : first + (each / slots) * (now - first),
    );
    await place.file(day.tickets.filter(({ filedAt }) => filedAt > (from as number) && filedAt <= (to as number)));
    // The numbers that payers type are those of orders that are filed.
    inputs = makeInputs(day, place.idOf);
    const due = inputs.filter(({ at }) => at > (from as number) && at <= (to as number));
    for (const kind of ['declaration', 'sms', 'wave', 'statement'] as const)
      await inParallel(
        due.filter((input) => input.kind === kind),
        (input) => place.tell(day, input),
      );
    told += due.length;
    await place.settle();
    await approveTicked(place, day, approved);
  }
  if (told !== inputs.length) throw new Error(`${inputs.length - told} inputs are outside the day`);
  const sufficient = sufficientLines(day);
  const tickedOnScreen = [...sufficient].filter((line) => approved.lines.has(line)).length;
  await lookAtAll(place, day, approved);
  const [rest] = await place.query<{ n: number }>(
    `select count(*)::int as n from payment_lines l where not exists (select from payment_matches m where m.line_id = l.id)`,
  );
  const amounts = Map.groupBy(day.tickets, ({ total }) => total);
  return {
    tickets: day.tickets.length,
    lines: day.lines.length,
    sharing: day.tickets.filter(({ total }) => (amounts.get(total)?.length ?? 0) > 1).length / day.tickets.length,
    wrong: [...approved.wrong],
    sufficient: sufficient.size,
    tickedOnScreen,
    ticked: [...sufficient].filter((line) => approved.lines.has(line)).length,
    left: rest?.n ?? 0,
  };
}

export const dayWays = ['in order', 'shuffled', 'twice', 'killed'] as const;
export type DayWay = (typeof dayWays)[number];

/**
 * The same day once more, on a place that has lived through it and runs on: everything is told in another way, then what is ticked is
 * approved. Answers how it ends, in texts that are equal where the ends are.
 */
export async function liveAgain(
  place: DayPlace,
  seed: number,
  count: number,
  way: DayWay,
): Promise<{ end: string[]; wrong: string[] }> {
  const day = makeDay(seed, count, thisMinute());
  await place.forget();
  await place.moveToTime(day.tickets);
  const inputs = makeInputs(day, place.idOf);
  const dice = new Dice(seed + dayWays.indexOf(way));
  const [half, whole] = [Math.floor(inputs.length / 2), inputs.length];
  const tell = (some: readonly DayInput[]) => inParallel(some, (input) => place.tell(day, input));
  if (way === 'in order') await tell(inputs);
  else if (way === 'shuffled') await tell(dice.shuffle(inputs));
  else if (way === 'twice') await tell(dice.shuffle([...inputs, ...inputs]));
  else {
    // What is under way when it dies is told again to the next one.
    const all = tell(inputs);
    await place.untilLines(Math.floor((half / whole) * day.lines.length));
    await place.end('SIGKILL');
    await place.start();
    await all;
  }
  await place.settle();
  const approved: Approved = { lines: new Set(), wrong: new Set() };
  await approveTicked(place, day, approved);
  const end = spellEnd(day, await place.query<StoredLine>(storedLines), place.keyOf);
  return { end, wrong: [...approved.wrong] };
}
