import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, documented, freeText, id, idParams, instant, words } from './shapes.ts';
import { ticketStatuses } from './tickets.ts';

const form = { description: "The ticket's number, a hyphen and twelve letters and digits, such as 12-7KQ0ZP4M1XHA." };

export const readReceiptCode = endpoint('readReceiptCode', 'GET', '/api/tickets/:id/receipt', {
  access: 'verified',
  summary: "The code that proves the receipt of one of the caller's own approved tickets.",
  params: idParams,
  response: z.object({ code: documented(words(), form) }),
  failures: ['TICKET_NOT_FOUND', 'TICKET_NOT_APPROVED'],
  topics: ['user:{callerId}:tickets'],
});

/** A receipt for anyone with its code; it contains nothing about the person. */
const receipt = component(
  'Receipt',
  z.object({
    ticketId: id,
    /** The last service of the path. */
    serviceName: words(),
    createdAt: instant,
    paymentTypeName: words(),
    totalPrice: documented(words(), { description: 'In CFA francs, as digits.' }),
    isFree: documented(z.boolean(), {
      description: 'Of a total of 0: whether it is the price, which else an agent gives.',
    }),
    status: documented(z.enum(ticketStatuses), { description: 'As it is now.' }),
    beneficiary: documented(words(), { description: 'The number with all but its last two digits masked.' }),
  }),
);
export type Receipt = z.output<typeof receipt>;

export const readReceipt = endpoint('readReceipt', 'GET', '/api/receipts/:code', {
  access: 'anyone',
  summary: 'The ticket of a receipt, by its code, in either case; O is read as 0, I and L as 1.',
  params: z.object({ code: documented(freeText(100), form) }),
  response: receipt,
  failures: ['RECEIPT_NOT_FOUND'],
  topics: ['tickets'],
});
