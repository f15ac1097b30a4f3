import type { Db } from '#server/database/connect.ts';
import { matchLimits } from '#server/process/payment-limits.ts';
import { type OpenLine, type OpenTicket, type Pair, type Proposals, propose } from './matching.ts';
import { findCandidates, findNearest, findOpenLines, findOpenTickets, findRivals, listNewestOpen } from './store.ts';

/**
 * Proposals for these lines, or for the newest ones without a ticket. Rivals of lines and tickets are looked for in rounds;
 * what the last round still finds, and what has more rivals than are read, is crowded: nothing of it is sure.
 */
export async function readProposals(
  db: Db,
  given?: readonly OpenLine[],
): Promise<Proposals & { lines: readonly OpenLine[] }> {
  const first = given ?? (await listNewestOpen(db));
  const lines = new Map(first.map((line) => [line.id, line]));
  const tickets = new Map<number, OpenTicket>();
  const searched = new Set<number>();
  const candidates = new Map<number, Set<number>>();
  const crowded = { lines: new Set<number>(), tickets: new Set<number>() };
  const add = ({ lineId, ticketId }: Pair) =>
    candidates.set(lineId, (candidates.get(lineId) ?? new Set()).add(ticketId));
  /** Notes pairs, and answers those whose rivals decide: of a crowded line or ticket nothing is sure, whatever else it has. */
  const note = (pairs: readonly Pair[], side: keyof Pair, full: Set<number>) => {
    for (const pair of pairs) add(pair);
    const counts = new Map<number, number>();
    for (const { [side]: id } of pairs) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const [id, count] of counts) if (count >= matchLimits.rivals) full.add(id);
    return pairs.filter(({ [side]: id }) => !full.has(id));
  };
  let newLines: number[] = [...lines.keys()];
  for (let round = 1; newLines.length > 0; round += 1) {
    // An equal amount makes nothing sure: it is looked for once, to be shown, and nobody asks for the rivals of such a ticket.
    const [found, equal] = await Promise.all([
      findCandidates(db, newLines),
      round === 1 ? findNearest(db, newLines) : [],
    ]);
    const reached = note(found, 'lineId', crowded.lines);
    for (const pair of equal) add(pair);
    const unread = newOf(round === 1 ? [...found, ...equal] : reached, 'ticketId', tickets);
    const newTickets = newOf(reached, 'ticketId', searched);
    const [read, rivals] = await Promise.all([findOpenTickets(db, unread), findRivals(db, newTickets)]);
    for (const ticket of read) tickets.set(ticket.id, ticket);
    for (const id of newTickets) searched.add(id);
    newLines = newOf(note(rivals, 'ticketId', crowded.tickets), 'lineId', lines);
    for (const line of await findOpenLines(db, newLines)) lines.set(line.id, line);
    if (round < matchLimits.rounds) continue;
    for (const id of newLines) crowded.lines.add(id);
    break;
  }
  const { sure, doubtful } = propose([...lines.values()], [...tickets.values()], crowded, candidates);
  const asked = new Set(first.map(({ id }) => id));
  return {
    lines: first,
    sure: sure.filter(({ lineId }) => asked.has(lineId)),
    doubtful: doubtful.filter(({ lineId }) => asked.has(lineId)),
  };
}

/** Proposals for the lines that may pay these tickets. */
export async function proposeFor(db: Db, ticketIds: Iterable<number>): Promise<Proposals> {
  const pairs = await findRivals(db, ticketIds);
  return readProposals(db, await findOpenLines(db, new Set(pairs.map(({ lineId }) => lineId))));
}

const newOf = (pairs: readonly Pair[], side: keyof Pair, known: { has(id: number): boolean }): number[] =>
  [...new Set(pairs.map((pair) => pair[side]))].filter((id) => !known.has(id));
