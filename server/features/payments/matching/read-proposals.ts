import type { Db } from '#server/database/connect.ts';
import { sql } from '#server/database/rows.ts';
import { readBalances } from '#server/features/payments/intake/balances.ts';
import { matchLimits } from './limits.ts';
import { type OpenLine, type OpenTicket, type Pair, type Pairing, type Proposals, propose } from './matching.ts';
import {
  findCandidates,
  findNearest,
  findOpenLines,
  findOpenTickets,
  findOthersClaims,
  findRivals,
  listNewestOpen,
  listSpokenFor,
} from './store.ts';
import { untickedBy } from './ticking.ts';

/** Proposals for these lines, ticked ones first. */
export interface ReadProposals extends Proposals {
  lines: readonly OpenLine[];
}

/** Whether a sure pair is ticked in advance. */
export const isTicked = ({ doubts }: Pairing): boolean => doubts.length === 0;

/**
 * Proposals for the newest lines without a ticket, and for older lines with evidence, until enough are ticked. So doubtful lines never
 * hide sure ones, however many wait.
 */
export const readNewestProposals = (pool: Db): Promise<ReadProposals> => planOnce(pool, searchNewest);

/** Runs reads in a transaction that plans each named statement once: here planning takes longer than the work. */
export const planOnce = <Result>(pool: Db, read: (db: Db) => Promise<Result>): Promise<Result> =>
  pool.transaction(
    async (db) => {
      await db.execute(sql`set local plan_cache_mode = force_generic_plan`);
      return read(db);
    },
    { accessMode: 'read only' },
  );

async function searchNewest(db: Db): Promise<ReadProposals> {
  const { spokenFor, spokenForNext, ticked } = matchLimits;
  const newest = await listNewestOpen(db);
  const spoken = await listSpokenFor(db, spokenFor);
  const first = await readProposals(db, [...new Map([...newest, ...spoken].map((line) => [line.id, line])).values()]);
  const sure = [...first.sure];
  let last = spoken.length < spokenFor ? undefined : spoken.at(-1);
  while (last && sure.filter(isTicked).length < ticked) {
    const next = await listSpokenFor(db, spokenForNext, last.id);
    sure.push(...(await readProposals(db, next)).sure);
    last = next.length < spokenForNext ? undefined : next.at(-1);
  }
  return { ...first, sure: sure.toSorted((a, b) => Number(isTicked(b)) - Number(isTicked(a))) };
}

/** Proposals for these lines. */
export async function readProposals(db: Db, lines: readonly OpenLine[]): Promise<ReadProposals> {
  const { sure, doubtful } = await compare(db, lines);
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const sms = sure.flatMap(({ lineId }) => lineOf.get(lineId) ?? []).filter(({ isSettled }) => !isSettled);
  const balances = await readBalances(db, sms);
  return {
    lines,
    sure: sure.map((pair) => {
      const line = lineOf.get(pair.lineId);
      const doubt = line && untickedBy(pair, line, balances);
      return doubt ? { ...pair, doubts: [...pair.doubts, doubt] } : pair;
    }),
    doubtful,
  };
}

/** Proposals for the lines that may pay these tickets. */
export async function proposeFor(db: Db, ticketIds: Iterable<number>): Promise<ReadProposals> {
  const pairs = await findRivals(db, ticketIds);
  return readProposals(db, await findOpenLines(db, new Set(pairs.map(({ lineId }) => lineId))));
}

/**
 * Applies the rules to these lines. Rivals of lines and tickets are read in rounds. Ids of the last round, and those with more rivals
 * than are read, count as crowded: none of their pairs is sure.
 */
async function compare(db: Db, asked: readonly OpenLine[]): Promise<Proposals> {
  const lines = new Map(asked.map((line) => [line.id, line]));
  const tickets = new Map<number, OpenTicket>();
  const searched = new Set<number>();
  const candidates = new Map<number, Set<number>>();
  const crowded = { lines: new Set<number>(), tickets: new Set<number>(), claimed: new Set<number>() };
  const add = ({ lineId, ticketId }: Pair) =>
    candidates.set(lineId, (candidates.get(lineId) ?? new Set()).add(ticketId));
  /** Adds pairs, and answers those whose rivals matter: a crowded line or ticket is unsure anyway. */
  const note = (pairs: readonly Pair[], side: keyof Pair, full: Set<number>) => {
    for (const pair of pairs) add(pair);
    const counts = new Map<number, number>();
    for (const { [side]: id } of pairs) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const [id, count] of counts) if (count >= matchLimits.rivals) full.add(id);
    return pairs.filter(({ [side]: id }) => !full.has(id));
  };
  let newLines: number[] = [...lines.keys()];
  for (let round = 1; newLines.length > 0; round += 1) {
    // An equal amount makes no pair sure, so it is read once and the rivals of such tickets are not.
    const found = await findCandidates(db, newLines);
    const nearest = round === 1 ? await findNearest(db, newLines) : [];
    const others = round === 1 ? await findOthersClaims(db, newLines) : [];
    const reached = note(found, 'lineId', crowded.lines);
    for (const pair of nearest) add(pair);
    note(others, 'lineId', crowded.claimed);
    const unread = newOf(round === 1 ? [...found, ...nearest, ...others] : reached, 'ticketId', tickets);
    const newTickets = newOf(reached, 'ticketId', searched);
    for (const ticket of await findOpenTickets(db, unread)) tickets.set(ticket.id, ticket);
    const rivals = await findRivals(db, newTickets);
    for (const id of newTickets) searched.add(id);
    newLines = newOf(note(rivals, 'ticketId', crowded.tickets), 'lineId', lines);
    for (const line of await findOpenLines(db, newLines)) lines.set(line.id, line);
    if (round < matchLimits.rounds) continue;
    for (const id of newLines) crowded.lines.add(id);
    break;
  }
  const { sure, doubtful } = propose([...lines.values()], [...tickets.values()], crowded, candidates);
  const isAsked = new Set(asked.map(({ id }) => id));
  return {
    sure: sure.filter(({ lineId }) => isAsked.has(lineId)),
    doubtful: doubtful.filter(({ lineId }) => isAsked.has(lineId)),
  };
}

const newOf = (pairs: readonly Pair[], side: keyof Pair, known: { has(id: number): boolean }): number[] =>
  [...new Set(pairs.map((pair) => pair[side]))].filter((id) => !known.has(id));
