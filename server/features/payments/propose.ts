import { candidatesAtMost } from '#contract/payments.ts';
import { type Judged, judge, type OpenLine, type OpenTicket, type Pairing } from './judge.ts';

export interface Proposals {
  /** One line and one ticket each. */
  sure: (Pairing & { preTicked: boolean })[];
  /** Tickets that a line may pay, the likeliest first. */
  doubtful: Pairing[];
}

/**
 * Pairs lines with tickets by the best evidence first; each line and each ticket is in one sure pair at most, and only where
 * nothing else is as good. `crowded` are ids of lines and tickets whose rivals are not all here: of them nothing is sure.
 * `candidates` are the tickets that each line may pay, where they are known; else all are compared.
 */
export function propose(
  lines: readonly OpenLine[],
  tickets: readonly OpenTicket[],
  crowded: { lines: ReadonlySet<number>; tickets: ReadonlySet<number> } = { lines: new Set(), tickets: new Set() },
  candidates?: ReadonlyMap<number, ReadonlySet<number>>,
): Proposals {
  const byTicket = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  const near = (line: OpenLine) =>
    candidates ? [...(candidates.get(line.id) ?? [])].flatMap((id) => byTicket.get(id) ?? []) : tickets;
  const judgedOf = new Map(lines.map((line) => [line.id, near(line).flatMap((ticket) => judge(line, ticket) ?? [])]));
  const judged = [...judgedOf.values()].flat();
  const byLine = new Map(lines.map((line) => [line.id, line]));
  const taken = { lines: new Set<number>(), tickets: new Set<number>() };
  const sure: Proposals['sure'] = [];
  for (const rule of ['R0', 'R1', 'R2']) {
    const open = judged.filter(
      (each) =>
        (each.rule === rule || (rule === 'R1' && each.isReference)) &&
        !taken.lines.has(each.lineId) &&
        !taken.tickets.has(each.ticketId),
    );
    for (const group of groupsOf(open)) {
      for (const pair of settle(group, byLine, crowded)) {
        const line = byLine.get(pair.lineId);
        const isNamed = pair.rule === 'R0' || pair.rule === 'R1';
        sure.push({ ...pair, preTicked: Boolean(line?.isSettled || (isNamed && line?.isTrusted)) });
      }
      // What is contested here is not decided by weaker evidence either.
      for (const { lineId, ticketId, isStrong, isReference } of group) {
        if (isStrong || isReference) taken.lines.add(lineId);
        if (isStrong) taken.tickets.add(ticketId);
      }
    }
  }
  const paired = {
    lines: new Set(sure.map(({ lineId }) => lineId)),
    tickets: new Set(sure.map(({ ticketId }) => ticketId)),
  };
  const doubtful = lines
    .filter(({ id }) => !paired.lines.has(id))
    .flatMap(({ id }) =>
      (judgedOf.get(id) ?? [])
        .filter((each) => !paired.tickets.has(each.ticketId))
        .toSorted((a, b) => rank(a) - rank(b) || a.apartMs - b.apartMs || a.ticketId - b.ticketId)
        .slice(0, candidatesAtMost),
    )
    .map(plain);
  return { sure, doubtful };
}

const rank = ({ rule, isStrong }: Judged) => (isStrong ? 0 : 10) + ['R0', 'R1', 'R2', 'R3', 'R4'].indexOf(rule);
const plain = ({ lineId, ticketId, rule, evidence }: Pairing): Pairing => ({ lineId, ticketId, rule, evidence });

/** Pairs that share a line or a ticket, directly or through others. */
function groupsOf(pairs: readonly Judged[]): Judged[][] {
  const groups: { lines: Set<number>; tickets: Set<number>; pairs: Judged[] }[] = [];
  for (const pair of pairs) {
    const near = groups.filter(({ lines, tickets }) => lines.has(pair.lineId) || tickets.has(pair.ticketId));
    const [first = { lines: new Set<number>(), tickets: new Set<number>(), pairs: [] }, ...others] = near;
    if (near.length === 0) groups.push(first);
    for (const other of others) {
      for (const id of other.lines) first.lines.add(id);
      for (const id of other.tickets) first.tickets.add(id);
      first.pairs.push(...other.pairs);
      groups.splice(groups.indexOf(other), 1);
    }
    first.lines.add(pair.lineId);
    first.tickets.add(pair.ticketId);
    first.pairs.push(pair);
  }
  return groups.map((group) => group.pairs);
}

/** The sure pairs of a group: its only one, or of one payer and amount as many lines as tickets, in their order. */
function settle(
  group: readonly Judged[],
  lines: ReadonlyMap<number, OpenLine>,
  crowded: { lines: ReadonlySet<number>; tickets: ReadonlySet<number> },
): Pairing[] {
  const good = group.filter(({ isStrong }) => isStrong);
  if (good.some(({ lineId, ticketId }) => crowded.lines.has(lineId) || crowded.tickets.has(ticketId))) return [];
  const [only] = good;
  if (!only) return [];
  // Of a reference that two tickets claim none is sure, even where one claim is weak.
  if (good.length === 1) return only.rule === 'R1' && group.length > 1 ? [] : [plain(only)];
  const lineIds = [...new Set(good.map(({ lineId }) => lineId))];
  const ticketIds = [...new Set(good.map(({ ticketId }) => ticketId))];
  // Every line with every ticket: one payer, one amount, and all within the time of each.
  const isBlock = lineIds.length === ticketIds.length && good.length === lineIds.length * ticketIds.length;
  if (only.rule !== 'R2' || !isBlock) return [];
  const accounts = new Set(lineIds.map((id) => lines.get(id)?.accountId));
  if (accounts.size !== 1) return [];
  const inOrder = lineIds.toSorted((a, b) => Number(lines.get(a)?.paidAt) - Number(lines.get(b)?.paidAt) || a - b);
  return ticketIds
    .toSorted((a, b) => a - b)
    .map((ticketId, place) => ({
      lineId: inOrder[place] as number,
      ticketId,
      rule: 'R2b' as const,
      evidence: [`${lineIds.length} paiements et ${ticketIds.length} demandes de la même personne et du même montant.`],
    }));
}
