import type { MatchRule } from '#contract/payments.ts';
import { countryOf } from '#contract/phone.ts';
import { spellWait } from '#contract/waiting.ts';
import { matchLimits } from '#server/process/payment-limits.ts';

/** A received payment without a ticket, as far as it is compared. */
export interface OpenLine {
  id: number;
  accountId: number;
  /** The account's country code. */
  country: string;
  /** CFA francs. */
  gross: number;
  plainReference: string | null;
  ourReference: number | null;
  /** E.164, or the last digits. */
  payer: string | null;
  paidAt: Date;
  isSettled: boolean;
  /** Of an SMS: from an allowed sender, and with a balance that follows from the line before. */
  isTrusted: boolean;
  /** Whether two inputs tell two amounts of it, say. */
  isOdd: boolean;
  isDayOnly: boolean;
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

export interface Pairing extends Pair {
  rule: MatchRule;
  /** French sentences. */
  evidence: string[];
}

export interface Judged extends Pairing {
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
    line.isDayOnly && "Rien ne dit l'heure du paiement.",
    line.ourReference !== null && !isNamed && "Le payeur a écrit le numéro d'une autre demande.",
  ];
  const isInTime = sinceFiling >= -payerBeforeMs && sinceFiling <= payerAfterMs;
  const when = whenOf(sinceFiling);
  const judged = (rule: MatchRule, isStrong: boolean, ...evidence: (string | false)[]): Judged => ({
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
