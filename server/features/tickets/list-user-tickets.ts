import type { Ticket } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { jsonPagesOf } from '#server/database/counted-page.ts';
import type { RawJson } from '#server/database/raw-json.ts';
import type { ListCount } from '#server/http/list-count.ts';
import { tickets } from './tables.ts';

/** What a user sees of a ticket of theirs. */
const shownToOwner: Record<keyof Ticket, true> = {
  id: true,
  userId: true,
  serviceId: true,
  status: true,
  numberOfBeneficiaries: true,
  paymentTypeId: true,
  paymentTypeName: true,
  totalPrice: true,
  amount: true,
  commission: true,
  servicePath: true,
  beneficiaryPhoneNumber: true,
  dialCode: true,
  rejectReason: true,
  paymentReference: true,
  paymentDeclaredAt: true,
  createdAt: true,
  updatedAt: true,
};
const readPage = jsonPagesOf<Ticket>(tickets, 'user_id', shownToOwner);

/** A user's tickets, newest first, and how many there are in all. */
export async function listUserTickets(
  db: Db,
  { userId, ...page }: { userId: number; limit: number; before?: number | undefined },
): Promise<{ rows: RawJson<Ticket[]>; count: ListCount }> {
  return readPage(db, userId, page);
}
