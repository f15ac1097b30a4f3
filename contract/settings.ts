import * as z from 'zod/mini';
import { emailOrNone } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { withoutSeparators } from './read-phone.ts';
import { component, documented, expectedUpdatedAt, formed, instant, listOf, text, words } from './shapes.ts';
import { rejectReasonLength } from './tickets.ts';

/** Most canned reject reasons: one screen shows all of them. */
export const cannedReasonsAtMost = 20;

export const rejectReasonsForm = z.object({
  reasons: listOf(text(rejectReasonLength, 'Un motif ne peut pas être vide.'), { max: cannedReasonsAtMost }),
});

const rejectReasons = component('RejectReasons', z.extend(rejectReasonsForm, { updatedAt: z.nullable(instant) }));
export type RejectReasons = z.output<typeof rejectReasons>;

export const listRejectReasons = endpoint('listRejectReasons', 'GET', '/api/admin/reject-reasons', {
  access: 'admin',
  summary: 'The reasons for a rejection that administrators choose from, in their order.',
  response: rejectReasons,
  topics: ['settings'],
});

export const saveRejectReasons = endpoint('saveRejectReasons', 'PUT', '/api/admin/reject-reasons', {
  access: 'admin',
  summary: 'Replaces the reasons for a rejection.',
  body: z.extend(rejectReasonsForm, { expectedUpdatedAt }),
  response: rejectReasons,
  failures: ['CHANGED_MEANWHILE'],
  audit: { title: 'Motifs de rejet modifiés', fields: [] },
});

const noNumber = "Saisissez le numéro avec le + et l'indicatif, par exemple +226\u00a070\u00a012\u00a034\u00a056.";

/** A number of any country in E.164; typed with spaces, or with 00 in place of the plus. */
const numberOrNone = documented(
  z.pipe(
    z.transform((value: unknown) =>
      typeof value === 'string' ? withoutSeparators(value).replace(/^00/, '+') || null : value,
    ),
    z.nullable(formed(/^\+[1-9]\d{7,14}$/, noNumber)),
  ),
  {
    description: 'An international number with its plus, of any country; null and empty mean none.',
    input: { type: ['string', 'null'] },
  },
);

/** How people reach the operator. */
export const contactForm = z.object({ whatsapp: numberOrNone, phone: numberOrNone, email: emailOrNone });
export type ContactForm = z.output<typeof contactForm>;

const way = z.nullable(words());
const contact = component(
  'Contact',
  z.object({
    whatsapp: documented(way, { description: 'E.164.' }),
    phone: documented(way, { description: 'E.164.' }),
    email: way,
    updatedAt: z.nullable(instant),
  }),
);
export type Contact = z.output<typeof contact>;

/** Whether there is any way to reach the operator. */
export const isReachable = ({ whatsapp, phone, email }: ContactForm): boolean =>
  [whatsapp, phone, email].some((each) => each !== null);

export const readContact = endpoint('readContact', 'GET', '/api/contact', {
  access: 'anyone',
  summary: 'How to reach the operator: WhatsApp, phone and e-mail address, each null where none is given.',
  response: contact,
  topics: ['contact'],
});

export const saveContact = endpoint('saveContact', 'PUT', '/api/admin/contact', {
  access: 'admin',
  summary: 'Sets how to reach the operator.',
  body: z.extend(contactForm, { expectedUpdatedAt }),
  response: contact,
  failures: ['CHANGED_MEANWHILE'],
  audit: { title: 'Contact modifié', fields: [] },
});
