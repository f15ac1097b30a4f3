import type { ResponseOf } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import type { approvePayments, PaymentPair } from '#contract/payments.ts';
import type { DecisionResult } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import type { TicketWithOwner } from '#server/features/tickets/store.ts';
import { changeTicketStatus, lockTicket, type StatusChange } from '#server/features/tickets/ticket-decisions.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { judge, type Pair, type Pairing } from './matching.ts';
import { proposeFor } from './read-proposals.ts';
import { findMatch, findOpenLines, findOpenTickets, insertMatch, lockLine } from './store.ts';

type ApprovalResult = ResponseOf<typeof approvePayments>['results'][number];

interface Tools {
  db: Db;
  /** Whether the caps on SMS apply. */
  limited: boolean;
}

/** A decided ticket, whether the call changed it, and the line that pays it. */
type Decided = TicketWithOwner & { changed: boolean; lineId: number | undefined };

/**
 * Decides a ticket as `changeTicketStatus` does, for every call. An approval of a pending ticket also pairs it, in the same transaction,
 * with the line that surely pays it. Without such a line it is only approved.
 */
export async function decideTicket(tools: Tools, write: AuditedWrite, change: StatusChange): Promise<Decided> {
  return decideBySure(tools, write, change, await findSureLines(tools.db, change.status, [change.id]));
}

/**
 * Decides tickets one after the other, each in its own transaction. A refused ticket gets its reason, and the others go on. Lines are
 * proposed for all tickets first: a decided ticket no longer counts as a rival.
 */
export async function decideTickets(
  tools: Tools,
  write: AuditedWrite,
  { tickets, ...decision }: Omit<StatusChange, 'id'> & { tickets: readonly Pick<StatusChange, 'id'>[] },
): Promise<DecisionResult[]> {
  const ids = tickets.map(({ id }) => id);
  const sure = await findSureLines(tools.db, decision.status, ids);
  return each<(typeof tickets)[number], DecisionResult>(
    tickets,
    async (ticket) => {
      const { changed, lineId } = await decideBySure(tools, write, { ...decision, ...ticket }, sure);
      return { id: ticket.id, outcome: changed ? 'changed' : 'unchanged', lineId };
    },
    ({ id }, { message }) => ({ id, outcome: 'refused', message }),
  );
}

/** Approves the pairs that a person chose, one after the other. A refused pair gets its reason, and the others go on. */
export async function approvePairs(
  tools: Tools,
  write: AuditedWrite,
  { pairs, actorId }: { pairs: readonly Pair[]; actorId: number },
): Promise<ApprovalResult[]> {
  const ids = pairs.map(({ ticketId }) => ticketId);
  const { sure, doubtful } = await proposeFor(tools.db, ids);
  const proposed = new Map([...doubtful, ...sure].map((pair) => [`${pair.lineId} ${pair.ticketId}`, pair]));
  return each<Pair, ApprovalResult>(
    pairs,
    async ({ lineId, ticketId }) => {
      const paying = proposed.get(`${lineId} ${ticketId}`) ?? { lineId };
      const change = { id: ticketId, status: 'approved', expectedStatus: 'pending', actorId } as const;
      const { changed, lineId: paidBy } = await decideWith(tools, write, change, paying);
      if (paidBy !== lineId) throw new Failure(paidBy === undefined ? 'STATUS_CHANGED' : 'PAYMENT_TAKEN');
      return { lineId, ticketId, outcome: changed ? 'approved' : 'unchanged' };
    },
    (pair, { code, message }) => ({ ...pair, outcome: 'refused', code, message }),
  );
}

async function each<Asked, Answer>(
  those: readonly Asked[],
  work: (asked: Asked) => Promise<Answer>,
  refused: (asked: Asked, failure: Failure) => Answer,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const asked of those)
    try {
      answers.push(await work(asked));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      answers.push(refused(asked, error));
    }
  return answers;
}

/** A line that pays a ticket, with its doubts, if the proposals have the pair. */
type Paying = Pick<Pairing, 'lineId'> & Partial<Pick<Pairing, 'doubts'>>;

/** The line that surely pays each of these tickets, if the tickets are being approved. */
async function findSureLines(
  db: Db,
  status: StatusChange['status'],
  ticketIds: readonly number[],
): Promise<ReadonlyMap<number, Paying>> {
  if (status === 'rejected') return new Map();
  const { sure } = await proposeFor(db, ticketIds);
  return new Map(sure.map((pair) => [pair.ticketId, pair]));
}

async function decideBySure(
  tools: Tools,
  write: AuditedWrite,
  change: StatusChange,
  sure: ReadonlyMap<number, Paying>,
): Promise<Decided> {
  try {
    return await decideWith(tools, write, change, sure.get(change.id));
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('PAYMENT_')) throw error;
    // The line was paired after it was proposed.
    const now = await findSureLines(tools.db, change.status, [change.id]);
    return decideWith(tools, write, change, now.get(change.id));
  }
}

/** Decides a ticket, and pairs a pending one with a line. Throws as `changeTicketStatus` and `requireFit`. */
async function decideWith(
  { db, limited }: Tools,
  write: AuditedWrite,
  change: StatusChange,
  paying: Paying | undefined,
): Promise<Decided> {
  const pairing: AuditedWrite = (work) =>
    paying === undefined ? write(work) : pairAndDo(write, { ...paying, ticketId: change.id }, change.actorId, work);
  const decided = await changeTicketStatus(pairing, change, { limited });
  const match = change.status === 'approved' ? await findMatch(db, change.id) : undefined;
  return { ...decided, lineId: match?.lineId };
}

/** Runs a ticket's decision in one transaction with its pair, which is checked again under the locks. */
async function pairAndDo<T>(
  write: AuditedWrite,
  { lineId, ticketId, doubts }: Pair & Paying,
  actorId: number,
  work: Parameters<typeof write<T>>[0],
): Promise<T> {
  return write(async (tx, note) => {
    const line = await lockLine(tx, lineId);
    const found = await lockTicket(tx, ticketId);
    if (found?.ticket.status !== 'pending') return work(tx, note);
    const isPaired = line.ticketId === ticketId;
    if (isPaired && line.state !== 'announced' && line.state !== 'settled') throw new Failure('PAYMENT_CLOSED');
    const why = isPaired ? undefined : await requireFit(tx, { lineId, ticketId });
    const result = await work(tx, note);
    note({ details: { line: lineId, ...(why && { rule: why.rule }) } });
    if (why) await insertMatch(tx, { lineId, ticketId, ...why, ...(doubts && { doubts }), decidedBy: actorId });
    return result;
  });
}

/**
 * The evidence and the doubts of a free line for a ticket; a person may overrule the doubts. Locks the line, then the ticket. Throws
 * PAYMENT_NOT_FOUND, TICKET_NOT_FOUND, PAYMENT_TAKEN, PAYMENT_CLOSED, PAYMENT_DIFFERS.
 */
export async function requireFit(
  tx: Db,
  { lineId, ticketId }: Pair,
): Promise<Pick<PaymentPair, 'rule' | 'evidence' | 'doubts'>> {
  const line = await lockLine(tx, lineId);
  const found = await lockTicket(tx, ticketId);
  if (line.ticketId !== null || (await findMatch(tx, ticketId))) throw new Failure('PAYMENT_TAKEN');
  const [open] = await findOpenLines(tx, [lineId]);
  if (!open) throw new Failure('PAYMENT_CLOSED');
  if (!found) throw new Failure('TICKET_NOT_FOUND');
  if (open.gross !== Number(found.ticket.totalPrice)) throw new Failure('PAYMENT_DIFFERS');
  const [ticket] = await findOpenTickets(tx, [ticketId]);
  const byPerson = { rule: 'person', evidence: ['Relié par un administrateur.'], doubts: [] } as const;
  const { rule, evidence, doubts } = (ticket && judge(open, ticket)) ?? byPerson;
  return { rule, evidence: [...evidence], doubts: [...doubts] };
}
