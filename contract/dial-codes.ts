import * as z from 'zod/mini';
import { dialTemplateProblem } from './dial-code.ts';
import { endpoint } from './endpoint.ts';
import { countryCodes } from './phone.ts';
import {
  component,
  count,
  deleted,
  documented,
  expectedUpdatedAt,
  freeText,
  id,
  idInPath,
  idParams,
  instant,
  text,
  words,
} from './shapes.ts';

export const dialTemplateStates = ['unverified', 'verified', 'reported', 'broken'] as const;
export type DialTemplateState = (typeof dialTemplateStates)[number];

/** Characters of an operator's message about a broken code. */
export const dialMessageLength = 200;

const country = z.enum(countryCodes);
const state = component('DialTemplateState', z.enum(dialTemplateStates));

/** A payment type's template for payers: the code that they will dial, and whether it works. */
export const offeredTemplate = component(
  'OfferedDialTemplate',
  z.object({ country, template: words(), state, message: z.nullable(words()) }),
);
export type OfferedTemplate = z.output<typeof offeredTemplate>;

export const dialTemplate = component(
  'DialTemplate',
  z.extend(offeredTemplate, {
    id,
    source: documented(z.nullable(words()), { description: 'Where the template was found.' }),
    /** When an administrator last confirmed that it works. */
    verifiedAt: z.nullable(instant),
    reports: documented(count, { description: 'People who reported it since its last change, in the last 24 hours.' }),
    updatedAt: instant,
  }),
);
export type DialTemplate = z.output<typeof dialTemplate>;

export const listDialTemplates = endpoint('listDialTemplates', 'GET', '/api/admin/payment-types/:id/dial-templates', {
  access: 'admin',
  summary: 'The dial templates of a payment type, one a country at most, with their states.',
  params: idParams,
  response: z.array(dialTemplate),
  failures: ['PAYMENT_TYPE_NOT_FOUND'],
  topics: ['payment-types'],
  dependsOnTime: true,
});

/** A code that a phone can dial. */
const template = text(80, 'Le code est requis.').check(({ value, issues }) => {
  const message = issues.length > 0 ? undefined : dialTemplateProblem(value);
  if (message) issues.push({ code: 'custom', message, input: value });
});

export const createDialTemplate = endpoint(
  'createDialTemplate',
  'POST',
  '/api/admin/payment-types/:id/dial-templates',
  {
    access: 'admin',
    summary: 'Adds the dial template of a country, to be verified.',
    params: idParams,
    body: z.object({ country, template }),
    response: dialTemplate,
    status: 201,
    failures: ['PAYMENT_TYPE_NOT_FOUND', 'DIAL_TEMPLATE_TAKEN'],
    audit: { title: "Code d'un type de paiement ajouté", about: 'payment-type', fields: ['country', 'template'] },
  },
);

const templateParams = z.object({ id: idInPath, templateId: idInPath });

export const updateDialTemplate = endpoint(
  'updateDialTemplate',
  'PUT',
  '/api/admin/payment-types/:id/dial-templates/:templateId',
  {
    access: 'admin',
    summary: 'Changes a template, which is then to be verified; or says that it works, or that it is broken.',
    params: templateParams,
    body: z.object({
      template,
      state: z.enum(['unverified', 'verified', 'broken']),
      message: documented(z.nullable(freeText(dialMessageLength)), {
        description: 'What payers read while it is broken.',
      }),
      expectedUpdatedAt,
    }),
    response: dialTemplate,
    failures: ['DIAL_TEMPLATE_NOT_FOUND', 'CHANGED_MEANWHILE'],
    audit: {
      title: "Code d'un type de paiement modifié",
      about: 'payment-type',
      fields: ['template', 'state', 'message'],
    },
  },
);

export const deleteDialTemplate = endpoint(
  'deleteDialTemplate',
  'DELETE',
  '/api/admin/payment-types/:id/dial-templates/:templateId',
  {
    access: 'admin',
    summary: 'Deletes a dial template; tickets keep their codes.',
    params: templateParams,
    response: deleted,
    failures: ['DIAL_TEMPLATE_NOT_FOUND'],
    audit: { title: "Code d'un type de paiement supprimé", about: 'payment-type', fields: [] },
  },
);
