import { candidatesAtMost, type Payment, type PaymentPair } from '#contract/payments.ts';
import { countryOf } from '#contract/phone.ts';
import { spellWait } from '#contract/waiting.ts';
import { matchLimits } from '#server/process/payment-limits.ts';

/** A received payment without a ticket, as far as it is compared. */
export interface OpenLine extends Pick<Payment, 'id' | 'accountId' | 'gross' | 'ourReference' | 'payer'> {
  /** The account's country code. */
  country: string;
  plainReference: string | null;
  paidAt: Date;
  isSettled: boolean;
  /** Of an SMS: from an allowed sender, and with a balance that follows from the line before. */
  isTrusted: boolean;
  /** Whether two inputs tell two amounts of it, say. */
  isOdd: boolean;
}

/** A pending ticket, as far as it is compared. */
export interface OpenTicket {
  id: number;
  /** CFA francs. */
  total: number;
  plainReference: string | null;
  createdAt: Date;
  declaredAt: Date | null;
  /** The number that the person says they paid from, and their verified one. */
  payers: readonly string[];
}

export interface Pair {
  lineId: number;
  ticketId: number;
}

export type Pairing = Pair & Pick<PaymentPair, 'rule' | 'evidence'>;

interface Judged extends Pairing {
  /** Whether it suffices where line and ticket have no other pair of its rule. */
  isStrong: boolean;
  /** Whether their references are equal, whatever their amounts. */
  isReference: boolean;
  apartMs: number;
}

/** What speaks for a line paying a ticket, and how strongly; undefined where nothing does. */
export function judge(line: OpenLine, ticket: OpenTicket): Judged | undefined {
  const { beforeFilingMs, afterDeclaringMs, payerBeforeMs, payerAfterMs } = matchLimits;
  const sinceFiling = line.paidAt.getTime() - ticket.createdAt.getTime();
  const sinceDeclaring = line.paidAt.getTime() - (ticket.declaredAt ?? ticket.createdAt).getTime();
  const isEqual = line.gross === ticket.total;
  const isReference = line.plainReference !== null && line.plainReference === ticket.plainReference;
  const isOtherReference = line.plainReference !== null && ticket.plainReference !== null && !isReference;
  const isPayer = line.payer !== null && ticket.payers.includes(line.payer);
  const isOtherPayer =
    line.payer !== null && ticket.payers.length > 0 && !ticket.payers.some((each) => fits(each, line.payer));
  const isNamed = line.ourReference === ticket.id;
  const doubts = [
    line.isOdd && 'Une anomalie est signalée sur ce paiement.',
    line.ourReference !== null && !isNamed && "Le payeur a écrit le numéro d'une autre demande.",
  ];
  const isInTime = sinceFiling >= -payerBeforeMs && sinceFiling <= payerAfterMs;
  const when = whenOf(sinceFiling);
  const judged = (rule: Judged['rule'], isStrong: boolean, ...evidence: (string | false)[]): Judged => ({
    lineId: line.id,
    ticketId: ticket.id,
    rule,
    isStrong: isStrong && !doubts.some(Boolean),
    isReference,
    evidence: [...evidence, ...doubts].filter((each) => each !== false),
    apartMs: Math.abs(sinceFiling),
  });
  const differs = !isEqual && differenceOf(line.gross - ticket.total);
  if (isNamed) {
    const isHere = ticket.payers.length === 0 || ticket.payers.some((each) => countryOf(each)?.code === line.country);
    const named = `Le payeur a écrit le numéro de la demande (T${ticket.id}).`;
    return judged(
      isEqual ? 'R0' : 'R3',
      isEqual && isHere,
      named,
      differs,
      !isHere && "Le compte est d'un autre pays.",
    );
  }
  if (isReference) {
    if (!isEqual) return judged('R3', false, 'Référence égale à celle que la personne a déclarée.', differs);
    const isWithin = sinceFiling >= -beforeFilingMs && sinceDeclaring <= afterDeclaringMs;
    return judged(
      'R1',
      isWithin && !isOtherPayer,
      `Référence et montant égaux, ${when}.`,
      !isWithin && 'Payé hors du délai de la demande.',
      isOtherPayer && 'Payé depuis un autre numéro que celui de la personne.',
    );
  }
  if (!isEqual || !isInTime) return undefined;
  if (isPayer)
    return judged(
      'R2',
      !isOtherReference,
      `Numéro du payeur et montant égaux, ${when}.`,
      isOtherReference && 'La personne a déclaré une autre référence.',
    );
  return judged(
    'R4',
    false,
    `Même montant, ${when}.`,
    isOtherPayer && 'Autre numéro que celui de la personne.',
    isOtherReference && 'Autre référence que celle déclarée.',
  );
}

/** Whether a number may be the one that is told, of which there may be the last digits alone. */
const fits = (phone: string, told: string | null) =>
  told !== null && (phone === told || (!told.startsWith('+') && phone.endsWith(told)));

function whenOf(sinceFilingMs: number): string {
  const seconds = Math.round(Math.abs(sinceFilingMs) / 1_000);
  if (seconds < 60) return 'reçu dans la minute de la demande';
  return `reçu ${spellWait(seconds)} ${sinceFilingMs < 0 ? 'avant' : 'après'} la demande`;
}

function differenceOf(francs: number): string {
  const amount = Math.abs(francs).toLocaleString('fr-FR');
  return `${amount}\u00a0FCFA de ${francs > 0 ? 'plus' : 'moins'} que la demande.`;
}

/** Ids of lines and tickets whose rivals are not all here: of them nothing is sure. */
type Crowded = Record<'lines' | 'tickets', ReadonlySet<number>>;

export interface Proposals {
  /** One line and one ticket each. */
  sure: (Pairing & { preTicked: boolean })[];
  /** Tickets that a line may pay, the likeliest first. */
  doubtful: Pairing[];
}

/**
 * Pairs lines with tickets by the best evidence first; each line and each ticket is in one sure pair at most, and only where
 * nothing else is as good. `candidates` are the tickets that each line may pay, where they are known; else all are compared.
 */
export function propose(
  lines: readonly OpenLine[],
  tickets: readonly OpenTicket[],
  crowded: Crowded = { lines: new Set(), tickets: new Set() },
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
  const pairedLines = new Set(sure.map(({ lineId }) => lineId));
  const pairedTickets = new Set(sure.map(({ ticketId }) => ticketId));
  const doubtful = lines
    .filter(({ id }) => !pairedLines.has(id))
    .flatMap(({ id }) =>
      (judgedOf.get(id) ?? [])
        .filter((each) => !pairedTickets.has(each.ticketId))
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
  let groups: Judged[][] = [];
  for (const pair of pairs) {
    const touches = (group: readonly Judged[]) =>
      group.some(({ lineId, ticketId }) => lineId === pair.lineId || ticketId === pair.ticketId);
    const { near = [], apart = [] } = Object.groupBy(groups, (group) => (touches(group) ? 'near' : 'apart'));
    groups = [...apart, [...near.flat(), pair]];
  }
  return groups;
}

/**
 * The sure pairs of a group: each of its lines may pay each of its tickets, and there are as many of both. More than one of
 * each are sure of one payer and account alone, in their order.
 */
function settle(group: readonly Judged[], lines: ReadonlyMap<number, OpenLine>, crowded: Crowded): Pairing[] {
  const good = group.filter(({ isStrong }) => isStrong);
  const lineIds = [...new Set(good.map(({ lineId }) => lineId))];
  const ticketIds = [...new Set(good.map(({ ticketId }) => ticketId))].toSorted((a, b) => a - b);
  const count = lineIds.length;
  const [only] = good;
  if (!only || ticketIds.length !== count || good.length !== count * count) return [];
  if (lineIds.some((id) => crowded.lines.has(id)) || ticketIds.some((id) => crowded.tickets.has(id))) return [];
  // Of a reference that two tickets claim none is sure, even where one claim is weak.
  if (count === 1) return only.rule === 'R1' && group.length > 1 ? [] : [plain(only)];
  if (only.rule !== 'R2' || new Set(lineIds.map((id) => lines.get(id)?.accountId)).size > 1) return [];
  const evidence = [`${count} paiements et ${count} demandes de la même personne et du même montant.`];
  return lineIds
    .toSorted((a, b) => Number(lines.get(a)?.paidAt) - Number(lines.get(b)?.paidAt) || a - b)
    .map((lineId, place) => ({ lineId, ticketId: ticketIds[place] as number, rule: 'R2b', evidence }));
}
