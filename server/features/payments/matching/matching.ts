import { candidatesAtMost, type Payment, type PaymentPair } from '#contract/payments.ts';
import { countryOf } from '#contract/phone.ts';
import { spellWait } from '#contract/waiting.ts';
import { matchLimits } from './limits.ts';

/** The compared facts of an open line: a payment without a ticket. */
export interface OpenLine
  extends Pick<Payment, 'id' | 'accountId' | 'gross' | 'balanceAfter' | 'ourReference' | 'payer'> {
  /** The account's country code. */
  country: string;
  /** The account's payment type, which may be deleted; null if it never had one. */
  paymentTypeId: number | null;
  /** The name of that payment type. */
  wallet: string;
  plainReference: string | null;
  /** The person with the payer's number as verified number. */
  payerId: number | null;
  /** Without a `payerId`: people for whom this number paid this sum before, or who declared the reference before. */
  claimants: readonly (number | null)[];
  paidAt: Date;
  /** Whether the ticket that it pays may still be filed. */
  isFresh: boolean;
  isSettled: boolean;
  /** Whether the sender may send; true for statements and wallets' servers. */
  senderMay: boolean;
  /** For a line of a taught shape: that shape's confirmed messages, up to the number that it needs. */
  shapeConfirmed: number | null;
  /** Whether it has an anomaly, such as two inputs with different amounts. */
  isOdd: boolean;
}

/** The compared facts of a pending ticket. */
export interface OpenTicket {
  id: number;
  /** CFA francs. */
  total: number;
  plainReference: string | null;
  createdAt: Date;
  declaredAt: Date | null;
  /** Null once the person is deleted. */
  userId: number | null;
  /** The person's verified number; a guest has none. */
  verified: string | null;
  /** The person's declared payer's number, which proves nothing. */
  said: string | null;
  /** Null once the payment type is deleted. */
  paymentTypeId: number | null;
  paymentTypeName: string;
}

export interface Pair {
  lineId: number;
  ticketId: number;
}

export type Pairing = Pair & Pick<PaymentPair, 'rule' | 'evidence' | 'doubts'>;

interface Judged extends Pairing {
  /** Whether it is sure if line and ticket have no other pair by its rule. */
  isStrong: boolean;
  /** Whether the references are equal; amounts may differ. */
  isReference: boolean;
  /** Whether the payer's number belongs to no user. Such a pair is sure only if no other ticket fits. */
  isForeign: boolean;
  /** Whether the person declared the payer's number. */
  isSaid: boolean;
  apartMs: number;
}

type Sentences = readonly (string | false)[];
const spoken = (sentences: Sentences) => sentences.filter((each) => each !== false);

/** The evidence for a line paying a ticket, and the doubts; undefined without evidence. */
export function judge(line: OpenLine, ticket: OpenTicket): Judged | undefined {
  const { beforeFilingMs, afterDeclaringMs } = matchLimits;
  const sinceFiling = line.paidAt.getTime() - ticket.createdAt.getTime();
  const sinceDeclaring = line.paidAt.getTime() - (ticket.declaredAt ?? ticket.createdAt).getTime();
  const isEqual = line.gross === ticket.total;
  const isReference = line.plainReference !== null && line.plainReference === ticket.plainReference;
  const isNamed = line.ourReference === ticket.id;
  const isSaid = line.payer !== null && line.payer === ticket.said;
  const payer = payerOf(line, ticket);
  const when = whenOf(sinceFiling);
  const elsewhere = elsewhereOf(line, ticket);
  const judged = (rule: Judged['rule'], evidence: Sentences, against: Sentences): Judged => {
    const doubts = spoken([
      ...against,
      ...elsewhere,
      line.isOdd && 'Une anomalie est signalée sur ce paiement.',
      line.ourReference !== null && !isNamed && "Le payeur a écrit le numéro d'une autre demande.",
    ]);
    const isStrong = rule !== 'R4' && doubts.length === 0;
    const isForeign = rule === 'R1' && payer === 'nobody';
    const pair = { lineId: line.id, ticketId: ticket.id, rule, evidence: spoken(evidence), doubts };
    return { ...pair, isStrong, isReference, isForeign, isSaid, apartMs: Math.abs(sinceFiling) };
  };
  const differs = !isEqual && differenceOf(line.gross - ticket.total);
  const tellsNumber = isSaid && payer !== 'own' && 'Numéro que la personne indique.';
  if (isNamed)
    return judged(isEqual ? 'R0' : 'R3', [`Le payeur a écrit le numéro de la demande (T${ticket.id}).`], [differs]);
  if (isReference) {
    if (!isEqual) return judged('R3', ['Référence égale à celle que la personne a déclarée.'], [differs]);
    const isWithin = sinceFiling >= -beforeFilingMs && sinceDeclaring <= afterDeclaringMs;
    const evidence = [
      `Référence et montant égaux, ${when}.`,
      payer === 'nobody' && "Payé depuis un autre numéro, qui n'est celui de personne d'autre ici.",
      tellsNumber,
    ];
    return judged('R1', evidence, [
      !isWithin && 'Payé hors du délai de la demande.',
      payer === 'other' && 'Payé depuis un autre numéro que celui de la personne.',
      payer === 'user' && "Payé depuis le numéro d'une autre personne inscrite ici.",
      payer === 'used' && 'Ce numéro ou cette référence a déjà servi à une autre personne.',
    ]);
  }
  if (!isEqual || !isInTime(line, ticket)) return undefined;
  const isOtherReference =
    line.plainReference !== null && ticket.plainReference !== null && 'Autre référence que celle déclarée.';
  if (line.payer !== null && line.payer === ticket.verified)
    return judged('R2', [`Numéro du payeur et montant égaux, ${when}.`], [isOtherReference]);
  // Equal amounts are common: in another wallet or country they prove nothing.
  if (elsewhere.length > 0) return undefined;
  const isOther = payer === 'user' || (payer !== undefined && payer !== 'own' && ticket.verified !== null);
  return judged(
    'R4',
    [`Même montant, ${when}.`, tellsNumber],
    [
      isSaid
        ? "Ce numéro n'est pas vérifié."
        : isOther
          ? 'Autre numéro que celui de la personne.'
          : "Rien d'autre ne les relie.",
      isOtherReference,
    ],
  );
}

/**
 * Whose number the payer's is: the person's `own` verified one, that of another `user`, one `used` for another person, or that of
 * `nobody` here. `other` is a partial number that is not the person's. Undefined without a number, and for a partial one on a ticket
 * without a verified number.
 */
function payerOf({ payer, payerId, claimants }: OpenLine, { verified, userId }: OpenTicket) {
  if (payer === null) return undefined;
  if (verified !== null && fits(verified, payer)) return 'own';
  if (!payer.startsWith('+')) return verified === null ? undefined : 'other';
  if (payerId !== null) return 'user';
  return claimants.some((id) => id === null || id !== userId) ? 'used' : 'nobody';
}

const isInTime = (line: OpenLine, ticket: OpenTicket): boolean => {
  const sinceFiling = line.paidAt.getTime() - ticket.createdAt.getTime();
  return sinceFiling >= -matchLimits.payerBeforeMs && sinceFiling <= matchLimits.payerAfterMs;
};

/** Doubts about a line in another wallet or country than the ticket's. */
function elsewhereOf(line: OpenLine, { verified, paymentTypeId, paymentTypeName }: OpenTicket): string[] {
  const isOtherWallet = line.paymentTypeId !== null && paymentTypeId !== null && line.paymentTypeId !== paymentTypeId;
  const isAbroad = verified !== null && countryOf(verified)?.code !== line.country;
  return spoken([
    isOtherWallet && `Payé sur ${line.wallet}, la demande dit ${paymentTypeName}.`,
    isAbroad && "Le compte est d'un autre pays que la personne.",
  ]);
}

/**
 * Whether a line from an unknown number, claimed by one ticket, may have been paid for another one. That is so if the other's person
 * declared the number, or if its reference does not exclude the line.
 */
function isRival(line: OpenLine, other: OpenTicket, claiming: OpenTicket): boolean {
  if (other.id === claiming.id || (other.userId !== null && other.userId === claiming.userId)) return false;
  if (other.said === line.payer) return true;
  const { plainReference } = other;
  if (other.total !== line.gross || !isInTime(line, other) || elsewhereOf(line, other).length > 0) return false;
  return plainReference === null || resembles(plainReference, line.plainReference ?? '');
}

/** Whether two references are equal except for one character that is wrong, missing or added. */
function resembles(one: string, other: string): boolean {
  const [length, shortest] = [Math.max(one.length, other.length), Math.min(one.length, other.length)];
  let head = 0;
  while (head < shortest && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return length - head - tail <= 1;
}

/** Whether a phone number matches the payer's, which may be only its last digits. */
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

/** Lines and tickets with more rivals than are read. None of their pairs is sure; for `claimed` lines no foreign pair is. */
type Crowded = Record<'lines' | 'tickets' | 'claimed', ReadonlySet<number>>;

export interface Proposals {
  /** Pairs of one line and one ticket each. */
  sure: Pairing[];
  /** Tickets that a line may pay, the likeliest first. */
  doubtful: Pairing[];
}

const contested = 'Un autre paiement ou une autre demande conviendrait aussi.';

/**
 * Pairs lines with tickets, the best evidence first. Each line and each ticket is in one sure pair at most, and only if nothing else is
 * as good. `candidates` are the tickets that each line may pay, if known; otherwise all are compared.
 */
export function propose(
  lines: readonly OpenLine[],
  tickets: readonly OpenTicket[],
  crowded: Crowded = { lines: new Set(), tickets: new Set(), claimed: new Set() },
  candidates?: ReadonlyMap<number, ReadonlySet<number>>,
): Proposals {
  const byLine = new Map(lines.map((line) => [line.id, line]));
  const byTicket = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  const near = (line: OpenLine) =>
    candidates ? [...(candidates.get(line.id) ?? [])].flatMap((id) => byTicket.get(id) ?? []) : tickets;
  const judgedOf = new Map(lines.map((line) => [line.id, near(line).flatMap((ticket) => judge(line, ticket) ?? [])]));
  const judged = [...judgedOf.values()].flat();
  const taken = { lines: new Set<number>(), tickets: new Set<number>() };
  const sure: Pairing[] = [];
  /** Foreign pairs with a rival ticket. */
  const rivalled = new Set<Judged>();
  for (const rule of ['R0', 'R1', 'R2']) {
    const open = judged.filter(
      (each) =>
        (each.rule === rule || (rule === 'R1' && each.isReference)) &&
        !taken.lines.has(each.lineId) &&
        !taken.tickets.has(each.ticketId),
    );
    for (const group of groupsOf(open)) {
      for (const each of group.filter(({ isForeign }) => isForeign)) {
        const [line, ticket] = [byLine.get(each.lineId), byTicket.get(each.ticketId)];
        if (
          !line ||
          !ticket ||
          crowded.claimed.has(line.id) ||
          near(line).some((other) => isRival(line, other, ticket))
        )
          rivalled.add(each);
      }
      if (!group.some((each) => rivalled.has(each))) sure.push(...settle(group, { byLine, byTicket, crowded }));
      // A contested line or ticket is not decided by weaker evidence either.
      for (const { lineId, ticketId, isStrong, isReference } of group) {
        if (isStrong || isReference) taken.lines.add(lineId);
        if (isStrong) taken.tickets.add(ticketId);
      }
    }
  }
  const pairedLines = new Set(sure.map(({ lineId }) => lineId));
  const pairedTickets = new Set(sure.map(({ ticketId }) => ticketId));
  const doubtOf = (pair: Judged) =>
    rivalled.has(pair) ? 'Une autre demande de ce montant attend : ce paiement peut être pour elle.' : contested;
  const doubtful = lines
    .filter(({ id }) => !pairedLines.has(id))
    .flatMap(({ id }) =>
      (judgedOf.get(id) ?? [])
        .filter((each) => !pairedTickets.has(each.ticketId))
        .toSorted((a, b) => rank(a) - rank(b) || a.apartMs - b.apartMs || a.ticketId - b.ticketId)
        .slice(0, candidatesAtMost)
        .map((each) => (each.doubts.length > 0 ? plain(each) : { ...plain(each), doubts: [doubtOf(each)] })),
    );
  return { sure, doubtful };
}

/** A lower rank is likelier. With equal evidence a declared payer's number comes first. */
const rank = ({ rule, isStrong, isSaid }: Judged) =>
  (isStrong ? 0 : 10) + ['R0', 'R1', 'R2', 'R3', 'R4'].indexOf(rule) - (isSaid ? 0.5 : 0);
const plain = ({ lineId, ticketId, rule, evidence, doubts }: Pairing): Pairing => ({
  lineId,
  ticketId,
  rule,
  evidence,
  doubts,
});

/** Groups of pairs that share a line or a ticket, directly or through others. */
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

interface Compared {
  byLine: ReadonlyMap<number, OpenLine>;
  byTicket: ReadonlyMap<number, OpenTicket>;
  crowded: Crowded;
}

/**
 * The sure pairs of a group in which each line may pay each ticket, with as many lines as tickets. Several are sure only for one person
 * and account, in their order.
 */
function settle(group: readonly Judged[], { byLine, byTicket, crowded }: Compared): Pairing[] {
  const good = group.filter(({ isStrong }) => isStrong);
  const lineIds = [...new Set(good.map(({ lineId }) => lineId))];
  const ticketIds = [...new Set(good.map(({ ticketId }) => ticketId))].toSorted((a, b) => a - b);
  const count = lineIds.length;
  const [only] = good;
  if (!only || ticketIds.length !== count || good.length !== count * count) return [];
  if (lineIds.some((id) => crowded.lines.has(id)) || ticketIds.some((id) => crowded.tickets.has(id))) return [];
  if (count === 1) {
    // If two tickets claim a reference, neither is sure, even if one claim is weak.
    if (only.rule === 'R1' && group.length > 1) return [];
    const isEarly = only.isForeign && byLine.get(only.lineId)?.isFresh;
    return [
      {
        ...plain(only),
        doubts: isEarly ? ["Payé à l'instant : la demande d'une autre personne peut encore venir."] : [],
      },
    ];
  }
  const accounts = new Set(lineIds.map((id) => byLine.get(id)?.accountId));
  const people = new Set(ticketIds.map((id) => byTicket.get(id)?.userId ?? null));
  if (only.rule !== 'R2' || accounts.size > 1 || people.size > 1 || people.has(null)) return [];
  const evidence = [`${count} paiements et ${count} demandes de la même personne et du même montant.`];
  return lineIds
    .toSorted((a, b) => Number(byLine.get(a)?.paidAt) - Number(byLine.get(b)?.paidAt) || a - b)
    .map((lineId, place) => ({ lineId, ticketId: ticketIds[place] as number, rule: 'R2b', evidence, doubts: [] }));
}
