import { Failure } from '#contract/failure.ts';
import { readPhone } from '#contract/read-phone.ts';
import type { Db } from '#server/database/connect.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { findTicketOf, setPaymentDeclared, type TicketRow } from './store.ts';

export interface PaymentDeclaration {
  id: number;
  userId: number;
  /** As they were typed. */
  reference?: string | null | undefined;
  payerPhone?: string | null | undefined;
  /** Of the person, for a local number. */
  countryCode: string;
}

/**
 * Records that a person paid their pending ticket, and by which transaction; it approves nothing. The same reference again
 * changes nothing, another one replaces it a few times. Throws TICKET_NOT_FOUND, TICKET_DECIDED, REFERENCE_SETTLED and
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

/** One way to write each reference, so that the same transaction is known again however it was typed. */
function normalReference(typed: string | null | undefined): string | null {
  return typed?.replace(/\s/g, '').toUpperCase() || null;
}
