import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, formed, listOf, verbatim } from './shapes.ts';

/** A gateway's name or state; no gateway sends longer ones. */
const word = verbatim(1, 200, 'De 1 à 200 caractères.');

/** Orange's receipt for one message: `callbackData` is the id that Orange assigned to it. */
export const orangeReceipt = component(
  'OrangeReceipt',
  z.object({
    deliveryInfoNotification: z.object({
      callbackData: word,
      deliveryInfo: z.object({ address: z.optional(word), deliveryStatus: word }),
    }),
  }),
);

/** Infobip's receipts for many messages: `messageId` is the id that we assigned. */
export const infobipReceipts = component(
  'InfobipReceipts',
  z.object({
    results: listOf(z.object({ messageId: word, status: z.object({ groupId: z.int() }) }), { min: 1, max: 1_000 }),
  }),
);

/** Twilio's receipt for one message, sent as a form. */
export const twilioReceipt = component('TwilioReceipt', z.object({ MessageSid: word, MessageStatus: word }));

export const receiveSmsReceipt = endpoint({
  operation: 'receiveSmsReceipt',
  method: 'POST',
  path: '/api/sms/receipts/:secret/:gateway',
  access: 'anyone',
  fromMachines: true,
  summary: 'Receives an SMS gateway’s delivery receipts; the secret is in the registered address.',
  params: z.object({
    secret: formed(/^[\w-]{32,100}$/, 'Cette adresse est inconnue.'),
    gateway: formed(/^[a-z]{1,20}$/, 'Cette passerelle est inconnue.'),
  }),
  body: z.union([orangeReceipt, infobipReceipts, twilioReceipt]),
  response: z.object({ received: z.literal(true) }),
  failures: ['NOT_FOUND'],
});
