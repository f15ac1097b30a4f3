import type { ResponseOf } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import type { approvePayments, PaymentPair } from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import { changeTicketStatus, lockTicket } from '#server/features/tickets/ticket-decisions.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import type { Pair } from './matching.ts';
import { explainPair } from './read-proposals.ts';
import { findMatch, findOpenLines, findOpenTickets, insertMatch, lockLine } from './store.ts';

type ApprovalResult = ResponseOf<typeof approvePayments>['results'][number];

/**
 * Pairs a line with a ticket and approves it, in one transaction with its notification. The pair is looked at again behind
 * the locks: the line is free and its amount is the ticket's total. Throws PAYMENT_NOT_FOUND, TICKET_NOT_FOUND,
 * PAYMENT_TAKEN, PAYMENT_CLOSED, PAYMENT_DIFFERS, STATUS_CHANGED.
 */
async function approvePair(
  write: AuditedWrite,
  { lineId, ticketId, actorId }: Pair & { actorId: number },
  tools: { limited: boolean },
): Promise<ApprovalResult['outcome']> {
  const matched: AuditedWrite = (work) =>
    write(async (tx, note) => {
      const line = await lockLine(tx, lineId);
      if (line.ticketId === ticketId) {
        const paired = await lockTicket(tx, ticketId);
        if (paired?.ticket.status !== 'pending') throw new AlreadyPaired();
        if (line.state !== 'announced' && line.state !== 'settled') throw new Failure('PAYMENT_CLOSED');
        const result = await work(tx, note);
        note({ details: { line: lineId } });
        return result;
      }
      const { isPending, ...why } = await requireFit(tx, { lineId, ticketId });
      if (!isPending) throw new Failure('STATUS_CHANGED');
      const result = await work(tx, note);
      note({ details: { line: lineId, rule: why.rule } });
      await insertMatch(tx, { lineId, ticketId, ...why, decidedBy: actorId });
      return result;
    });
  try {
    await changeTicketStatus(matched, { id: ticketId, status: 'approved', expectedStatus: 'pending', actorId }, tools);
    return 'approved';
  } catch (error) {
    if (error instanceof AlreadyPaired) return 'unchanged';
    throw error;
  }
}

/** The same pair was decided before. */
class AlreadyPaired extends Error {}

/**
 * Why a free line may pay a ticket, its doubts among the evidence, and whether that waits for a decision. Locks the line, then the ticket. Throws
 * PAYMENT_NOT_FOUND, TICKET_NOT_FOUND, PAYMENT_TAKEN, PAYMENT_CLOSED, PAYMENT_DIFFERS.
 */
export async function requireFit(
  tx: Db,
  { lineId, ticketId }: Pair,
): Promise<Pick<PaymentPair, 'rule' | 'evidence' | 'doubts'> & { isPending: boolean }> {
  const line = await lockLine(tx, lineId);
  const found = await lockTicket(tx, ticketId);
  if (line.ticketId !== null || (await findMatch(tx, ticketId))) throw new Failure('PAYMENT_TAKEN');
  const [open] = await findOpenLines(tx, [lineId]);
  if (!open) throw new Failure('PAYMENT_CLOSED');
  if (!found) throw new Failure('TICKET_NOT_FOUND');
  if (open.gross !== Number(found.ticket.totalPrice)) throw new Failure('PAYMENT_DIFFERS');
  const [ticket] = await findOpenTickets(tx, [ticketId]);
  const why = ticket && (await explainPair(tx, open, ticket));
  return {
    rule: why?.rule ?? 'person',
    evidence: why ? [...why.evidence, ...why.doubts] : ['Relié par un administrateur.'],
    doubts: why?.doubts ?? [],
    isPending: found.ticket.status === 'pending',
  };
}

/** Approves pairs one after the other, each in a transaction of its own: one that is refused says why, and the others go on. */
export async function approvePairs(
  write: AuditedWrite,
  { pairs, actorId }: { pairs: readonly Pair[]; actorId: number },
  tools: { limited: boolean },
): Promise<ApprovalResult[]> {
  const results: ApprovalResult[] = [];
  for (const { lineId, ticketId } of pairs)
    try {
      results.push({ lineId, ticketId, outcome: await approvePair(write, { lineId, ticketId, actorId }, tools) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({ lineId, ticketId, outcome: 'refused', code: error.code, message: error.message });
    }
  return results;
}
