import * as z from 'zod/mini';
import { offeredTemplate } from './dial-codes.ts';
import { endpoint } from './endpoint.ts';
import { countries, countryCodes } from './phone.ts';
import {
  component,
  deleted,
  documented,
  expectedUpdatedAt,
  id,
  idParams,
  instant,
  listOf,
  nameText,
  text,
  words,
} from './shapes.ts';
import { storedImage } from './uploads.ts';

const country = z.enum(countryCodes);

export const paymentType = component(
  'PaymentType',
  z.object({
    id,
    name: words(),
    pictureUrl: z.nullable(words()),
    icon: documented(z.nullable(words()), { description: 'An emoji, shown where there is no picture.' }),
    operator: documented(z.nullable(words()), { description: 'Whose line the code must be dialled from.' }),
    countries: documented(z.array(country), {
      description: 'The calling codes of the countries it is for; none means all.',
    }),
    isActive: z.boolean(),
    dialTemplates: documented(z.array(offeredTemplate), { description: 'Its own codes, one a country at most.' }),
    merchantCountries: documented(z.array(country), {
      description: "The countries in which it has a merchant number; elsewhere `{marchand}` is the example's.",
    }),
    refusesExamples: documented(z.boolean(), {
      description: "Whether an order whose code has the example's merchant number is refused. Of the whole shop.",
    }),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type PaymentType = z.output<typeof paymentType>;

export const listPaymentTypes = endpoint('listPaymentTypes', 'GET', '/api/payment-types', {
  access: 'anyone',
  looksAtSession: true,
  summary: 'The active payment types; an administrator also gets the inactive ones.',
  response: z.array(paymentType),
  topics: ['payment-types', 'user:{callerId}', 'session:{sid}'],
});

const fields = {
  name: nameText(60, 'Le nom du type de paiement est requis.'),
  pictureUrl: storedImage,
  icon: z.nullable(text(16)),
  operator: z.nullable(nameText(60)),
  countries: listOf(country, { max: countries.length }),
  isActive: z.boolean(),
};

export const createPaymentType = endpoint('createPaymentType', 'POST', '/api/admin/payment-types', {
  access: 'admin',
  summary: 'Creates a payment type, active.',
  body: z.object({
    name: fields.name,
    pictureUrl: z._default(fields.pictureUrl, null),
    icon: z._default(fields.icon, null),
    operator: z._default(fields.operator, null),
    countries: z._default(fields.countries, []),
  }),
  response: paymentType,
  status: 201,
  failures: ['PAYMENT_TYPE_TAKEN'],
  audit: { title: 'Type de paiement créé', about: 'payment-type', fields: ['name', 'icon', 'operator'] },
});

export const uploadPaymentTypePicture = endpoint(
  'uploadPaymentTypePicture',
  'POST',
  '/api/admin/upload-payment-picture',
  {
    access: 'admin',
    summary: 'Stores a picture for a payment type; multipart file `picture`.',
    upload: { fileField: 'picture', required: true },
    response: z.object({ url: words() }),
    audit: { title: "Image d'un type de paiement téléchargée", fields: [] },
  },
);

export const updatePaymentType = endpoint('updatePaymentType', 'PUT', '/api/admin/payment-types/:id', {
  access: 'admin',
  summary: 'Changes a payment type, or switches it on or off; omitted fields keep their value.',
  params: idParams,
  body: z.extend(z.partial(z.object(fields)), { expectedUpdatedAt }),
  response: paymentType,
  failures: ['PAYMENT_TYPE_NOT_FOUND', 'PAYMENT_TYPE_TAKEN', 'CHANGED_MEANWHILE'],
  audit: { title: 'Type de paiement modifié', about: 'payment-type', fields: ['name', 'icon', 'operator', 'isActive'] },
});

export const deletePaymentType = endpoint('deletePaymentType', 'DELETE', '/api/admin/payment-types/:id', {
  access: 'admin',
  summary: 'Deletes a payment type; tickets keep its name.',
  params: idParams,
  response: deleted,
  failures: ['PAYMENT_TYPE_NOT_FOUND'],
  audit: { title: 'Type de paiement supprimé', about: 'payment-type', fields: [] },
});
