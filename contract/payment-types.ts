import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, deleted, id, idParams, instant, text } from './shapes.ts';

export const paymentType = component(
  'PaymentType',
  z.object({
    id,
    name: z.string(),
    pictureUrl: z.nullable(z.string()),
    isActive: z.boolean(),
    createdAt: instant,
  }),
);
export type PaymentType = z.output<typeof paymentType>;

export const listPaymentTypes = endpoint({
  operation: 'listPaymentTypes',
  method: 'GET',
  path: '/api/payment-types',
  access: 'anyone',
  looksAtSession: true,
  summary: 'The active payment types; an administrator also gets the inactive ones.',
  response: z.array(paymentType),
  failures: [],
  topics: ['payment-types', 'user:{callerId}', 'session:{sid}'],
});

export const createPaymentType = endpoint({
  operation: 'createPaymentType',
  method: 'POST',
  path: '/api/admin/payment-types',
  access: 'admin',
  summary: 'Creates a payment type, active.',
  body: z.object({ name: text(60, 'Le nom du type de paiement est requis.') }),
  response: paymentType,
  status: 201,
  failures: ['PAYMENT_TYPE_TAKEN'],
  audit: { title: 'Type de paiement créé', fields: ['name'] },
});

export const updatePaymentType = endpoint({
  operation: 'updatePaymentType',
  method: 'PUT',
  path: '/api/admin/payment-types/:id',
  access: 'admin',
  summary: 'Switches a payment type on or off.',
  params: idParams,
  body: z.object({ isActive: z.boolean() }),
  response: paymentType,
  failures: ['PAYMENT_TYPE_NOT_FOUND'],
  audit: { title: 'Type de paiement modifié', fields: ['isActive'] },
});

export const deletePaymentType = endpoint({
  operation: 'deletePaymentType',
  method: 'DELETE',
  path: '/api/admin/payment-types/:id',
  access: 'admin',
  summary: 'Deletes a payment type; tickets keep its name.',
  params: idParams,
  response: deleted,
  failures: ['PAYMENT_TYPE_NOT_FOUND'],
  audit: { title: 'Type de paiement supprimé', fields: [] },
});
