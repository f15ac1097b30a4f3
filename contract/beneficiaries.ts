import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, documented, done, formed, nameText, words } from './shapes.ts';

/** Characters of a beneficiary's name: it stands beside a number on a phone. */
export const beneficiaryNameLength = 40;
/** Beneficiaries of one person. */
export const beneficiariesAtMost = 100;

export const beneficiary = component(
  'Beneficiary',
  z.object({ phone: documented(words(), { description: 'E.164.' }), name: words() }),
);
export type Beneficiary = z.output<typeof beneficiary>;

const params = z.object({ phone: formed(/^\+\d{8,15}$/, "Un numéro avec l'indicatif est attendu, sans espaces.") });

export const beneficiaryForm = z.object({ name: nameText(beneficiaryNameLength, 'Saisissez un nom.') });

export const listBeneficiaries = endpoint('listBeneficiaries', 'GET', '/api/beneficiaries', {
  access: 'verified',
  summary: 'The numbers that the caller gave names to, by name. Nobody else reads them.',
  response: z.array(beneficiary),
  topics: ['user:{callerId}:beneficiaries'],
});

export const saveBeneficiary = endpoint('saveBeneficiary', 'PUT', '/api/beneficiaries/:phone', {
  access: 'verified',
  summary: `Gives a number a name, or another one; ${beneficiariesAtMost} numbers at most.`,
  params,
  body: beneficiaryForm,
  response: beneficiary,
  failures: ['PHONE_INVALID', 'BENEFICIARIES_FULL'],
});

export const deleteBeneficiary = endpoint('deleteBeneficiary', 'DELETE', '/api/beneficiaries/:phone', {
  access: 'verified',
  summary: "Takes the name from a number, if it has one. The caller's tickets stay.",
  params,
  response: done,
});
