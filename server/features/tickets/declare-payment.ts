import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { findTicketOf, setPaymentDeclared, type TicketRow } from './store.ts';

export interface PaymentDeclaration {
  id: number;
  userId: number;
  /** As it was typed. */
  reference?: string | null | undefined;
}

/**
 * Records that a person paid their pending ticket, and by which transaction; it approves nothing. The same reference again
 * changes nothing, another one replaces it a few times. Throws TICKET_NOT_FOUND, TICKET_DECIDED and REFERENCE_SETTLED.
 */
export async function declarePayment(db: Db, { id, userId, ...typed }: PaymentDeclaration): Promise<TicketRow> {
  const reference = normalReference(typed.reference);
  const declared = await setPaymentDeclared(db, { id, userId, reference });
  if (declared) return declared;
  const ticket = await findTicketOf(db, userId, id);
  if (!ticket) throw new Failure('TICKET_NOT_FOUND');
  const isRepeated =
    ticket.paymentDeclaredAt &&
    (reference === null || withoutMarks(reference) === withoutMarks(ticket.paymentReference));
  if (!isRepeated) throw new Failure(ticket.status === 'pending' ? 'REFERENCE_SETTLED' : 'TICKET_DECIDED');
  return ticket;
}

const withoutMarks = (reference: string | null) => reference?.replace(/[./-]/g, '');

/** One way to write each reference, so that the same transaction is known again however it was typed. */
function normalReference(typed: string | null | undefined): string | null {
  return typed?.replace(/\s/g, '').toUpperCase() || null;
}
