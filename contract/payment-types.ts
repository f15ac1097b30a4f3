import * as z from 'zod/mini';
import { endpoint, id, idParams, instant, text } from './endpoint.ts';

export const paymentType = z.object({
  id,
  name: z.string(),
  pictureUrl: z.nullable(z.string()),
  isActive: z.boolean(),
  createdAt: instant,
});
export type PaymentType = z.output<typeof paymentType>;

export const listPaymentTypes = endpoint({
  method: 'GET',
  path: '/api/payment-types',
  caller: 'anyone',
  summary: 'The active payment types; an administrator also gets the inactive ones.',
  response: z.array(paymentType),
});

export const createPaymentType = endpoint({
  method: 'POST',
  path: '/api/admin/payment-types',
  caller: 'admin',
  summary: 'Creates a payment type, active.',
  body: z.object({ name: text(60, 'Le nom du type de paiement est requis.') }),
  response: paymentType,
  status: 201,
});

export const updatePaymentType = endpoint({
  method: 'PUT',
  path: '/api/admin/payment-types/:id',
  caller: 'admin',
  summary: 'Switches a payment type on or off.',
  params: idParams,
  body: z.object({ isActive: z.boolean() }),
  response: paymentType,
});

export const deletePaymentType = endpoint({
  method: 'DELETE',
  path: '/api/admin/payment-types/:id',
  caller: 'admin',
  summary: 'Deletes a payment type; tickets keep its name.',
  params: idParams,
  response: z.object({ id }),
});
