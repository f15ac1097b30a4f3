import { eq } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { tickets } from '#server/features/tickets/tables.ts';

/** The facts that a receipt shows, for any user's ticket. */
export async function findTicket(db: Db, id: number) {
  const { status, createdAt, servicePath, paymentTypeName, totalPrice, beneficiaryPhoneNumber } = tickets;
  const [row] = await db
    .select({ id: tickets.id, status, createdAt, servicePath, paymentTypeName, totalPrice, beneficiaryPhoneNumber })
    .from(tickets)
    .where(eq(tickets.id, id));
  return row;
}

export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof findTicket>>>;
