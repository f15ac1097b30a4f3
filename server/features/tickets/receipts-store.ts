import { eq } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { tickets } from './tables.ts';

/** What a receipt shows of a ticket, whoever's it is. */
export async function findTicket(db: Db, id: number) {
  const { status, createdAt, servicePath, paymentTypeName, totalPrice, beneficiaryPhoneNumber } = tickets;
  const [row] = await db
    .select({ id: tickets.id, status, createdAt, servicePath, paymentTypeName, totalPrice, beneficiaryPhoneNumber })
    .from(tickets)
    .where(eq(tickets.id, id));
  return row;
}

export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof findTicket>>>;
