import { Failure } from '#contract/failure.ts';
import { readPhone } from '#contract/read-phone.ts';
import type { Db } from '#server/database/connect.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { findTicketOf, setPaymentDeclared, type TicketRow } from './store.ts';

export interface PaymentDeclaration {
  id: number;
  userId: number;
  /** Reference and number as typed. */
  reference?: string | null | undefined;
  payerPhone?: string | null | undefined;
  /** The person's country, for a local number. */
  countryCode: string;
}

/**
 * Records that a person says they paid their pending ticket, and by which transaction; it approves nothing. The same reference again
 * changes nothing; another one replaces it, a few times at most. Throws TICKET_NOT_FOUND, TICKET_DECIDED, REFERENCE_SETTLED and
 * PHONE_INVALID.
 */
export async function declarePayment(db: Db, { id, userId, ...typed }: PaymentDeclaration): Promise<TicketRow> {
  const reference = normalReference(typed.reference);
  const payer = typed.payerPhone ? readPhone(typed.payerPhone, typed.countryCode) : undefined;
  if (payer && 'problem' in payer) throw new Failure('PHONE_INVALID', { message: payer.problem });
  const declared = await setPaymentDeclared(db, { id, userId, reference, payerPhone: payer?.e164 ?? null });
  if (declared) return declared;
  const ticket = await findTicketOf(db, userId, id);
  if (!ticket) throw new Failure('TICKET_NOT_FOUND');
  const isRepeated =
    ticket.paymentDeclaredAt && (reference === null || plainReference(reference) === ticket.plainReference);
  if (!isRepeated) throw new Failure(ticket.status === 'pending' ? 'REFERENCE_SETTLED' : 'TICKET_DECIDED');
  return ticket;
}

/** A reference in one spelling, so that each transaction is recognised however it was typed. */
function normalReference(typed: string | null | undefined): string | null {
  return typed?.replace(/\s/g, '').toUpperCase() || null;
}
