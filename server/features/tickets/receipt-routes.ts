import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { maskPhone } from '#contract/phone.ts';
import { isFree } from '#contract/pricing.ts';
import * as endpoints from '#contract/receipts.ts';
import type { Db } from '#server/database/connect.ts';
import { addressKey } from '#server/http/addresses.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { route } from '#server/http/route.ts';
import { isSealOf, readCode, receiptCode } from './receipt-codes.ts';
import { findReceipt, findTicketOf, type ReceiptRow } from './store.ts';

/** `key` signs the codes. */
export function receiptRoutes(
  app: FastifyInstance,
  { db, limits, key }: { db: Db; limits: Limits; key: Buffer },
): void {
  route(app, endpoints.readReceiptCode, async ({ params, caller }) => {
    const ticket = await findTicketOf(db, caller.userId, params.id);
    if (!ticket) throw new Failure('TICKET_NOT_FOUND');
    if (ticket.status !== 'approved') throw new Failure('TICKET_NOT_APPROVED');
    return { code: receiptCode(key, ticket) };
  });

  route(app, endpoints.readReceipt, async ({ params, request }) => {
    await limits.consume('receiptsPerAddress', addressKey(request.ip));
    const { id, seal } = readCode(params.code);
    const ticket = await findReceipt(db, id);
    // A wrong code takes as long as a right one, with or without such a ticket.
    const isRight = isSealOf(key, ticket ?? { id, createdAt: new Date(0) }, seal);
    // A pending ticket has no receipt.
    if (!isRight || !ticket || ticket.status === 'pending') throw new Failure('RECEIPT_NOT_FOUND');
    return presentReceipt(ticket);
  });
}

function presentReceipt({ id, createdAt, servicePath, beneficiaryPhoneNumber, ...row }: ReceiptRow): endpoints.Receipt {
  return {
    ticketId: id,
    serviceName: servicePath.at(-1)?.name ?? '',
    createdAt: createdAt.toISOString(),
    paymentTypeName: row.paymentTypeName,
    totalPrice: row.totalPrice,
    isFree: isFree(Number(row.totalPrice), servicePath),
    status: row.status,
    beneficiary: maskPhone(beneficiaryPhoneNumber),
  };
}
