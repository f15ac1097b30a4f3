import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { countryCodes } from './phone.ts';
import { component, count, deleted, documented, id, idParams, instant, words } from './shapes.ts';

/** Confirmed messages after which a taught shape counts as a built-in one. */
export const provenFrom = 10;

const paymentShape = component(
  'PaymentShape',
  z.object({
    id,
    paymentTypeId: documented(z.nullable(id), { description: 'Null once the payment type is deleted.' }),
    country: z.enum(countryCodes),
    template: documented(words(), { description: 'The text of its messages, with a placeholder for what differs.' }),
    createdAt: instant,
    used: documented(count, { description: 'Payments that it read.' }),
    confirmed: documented(count, {
      description: 'Of these, those that pay an approved ticket, or that a statement or a server told as well.',
    }),
    lastUsedAt: z.nullable(instant),
  }),
);
export type PaymentShape = z.output<typeof paymentShape>;

export const listPaymentShapes = endpoint('listPaymentShapes', 'GET', '/api/admin/payments/shapes', {
  access: 'admin',
  summary: 'The shapes of SMS that this shop taught, the newest first.',
  response: z.array(paymentShape),
  topics: ['payments', 'tickets'],
});

export const removePaymentShape = endpoint('removePaymentShape', 'DELETE', '/api/admin/payments/shapes/:id', {
  access: 'admin',
  summary: 'Reads no more messages by a shape; the payments that it read stay.',
  params: idParams,
  response: deleted,
  failures: ['PAYMENT_SHAPE_NOT_FOUND'],
  audit: { title: 'Forme de SMS retirée', fields: [] },
});
