import * as z from 'zod/mini';
import { placeholderMerchant } from './dialling.ts';
import { endpoint } from './endpoint.ts';
import { countries, countryCodes } from './phone.ts';
import { component, expectedUpdatedAt, formed, freeText, id, idParams, instant, listOf, words } from './shapes.ts';

const country = z.enum(countryCodes);

/** Operators' merchant numbers have 4 to 12 digits; typed ones may be spaced. */
const merchantNumber = z.pipe(
  z.pipe(
    freeText(30),
    z.transform((typed) => typed.replace(/\s/g, '')),
  ),
  formed(/^\d{4,12}$/, 'Le numéro marchand a de 4 à 12 chiffres.').check(
    z.refine((number) => number !== placeholderMerchant, "Ce numéro est celui de l'exemple : il ne paie personne."),
  ),
);

/** A country has one number. */
const oneEach = z.check<{ country: string }[]>(({ value, issues }) => {
  const known = value.map((each) => each.country);
  for (const [place, code] of known.entries())
    if (known.indexOf(code) < place)
      issues.push({ code: 'custom', message: 'Ce pays a déjà un numéro.', path: [place, 'country'], input: value });
});

const merchantNumbers = component(
  'MerchantNumbers',
  z.object({
    paymentTypeId: id,
    numbers: z.array(z.object({ country, number: words() })),
    updatedAt: z.nullable(instant),
  }),
);
export type MerchantNumbers = z.output<typeof merchantNumbers>;

export const listMerchantNumbers = endpoint('listMerchantNumbers', 'GET', '/api/admin/merchant-numbers', {
  access: 'admin',
  summary: 'The merchant numbers of each payment type, one a country at most; `{marchand}` of a code stands for them.',
  response: z.array(merchantNumbers),
  topics: ['payment-types'],
});

/** A payment type's numbers, as a form sends them. */
export const merchantNumbersForm = z.object({
  numbers: listOf(z.object({ country, number: merchantNumber }), { max: countries.length }).check(oneEach),
});

export const saveMerchantNumbers = endpoint(
  'saveMerchantNumbers',
  'PUT',
  '/api/admin/payment-types/:id/merchant-numbers',
  {
    access: 'admin',
    summary:
      'Replaces the merchant numbers of a payment type; a country left out has none. Codes with another number than before are to be verified again.',
    params: idParams,
    body: z.extend(merchantNumbersForm, { expectedUpdatedAt }),
    response: merchantNumbers,
    failures: ['PAYMENT_TYPE_NOT_FOUND', 'CHANGED_MEANWHILE'],
    audit: { title: 'Numéros marchands modifiés', about: 'payment-type', fields: [] },
  },
);
