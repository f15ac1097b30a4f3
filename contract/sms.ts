import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  component,
  count,
  documented,
  done,
  expectedUpdatedAt,
  formed,
  id,
  instant,
  listOf,
  text,
  verbatim,
  words,
} from './shapes.ts';

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

export const receiveSmsReceipt = endpoint('receiveSmsReceipt', 'POST', '/api/sms/receipts/:secret/:gateway', {
  access: 'anyone',
  fromMachines: true,
  summary: "Receives an SMS gateway's delivery receipts; the secret is in the registered address.",
  params: z.object({
    secret: formed(/^[\w-]{32,100}$/, 'Cette adresse est inconnue.'),
    gateway: formed(/^[a-z]{1,20}$/, 'Cette passerelle est inconnue.'),
  }),
  body: z.union([orangeReceipt, infobipReceipts, twilioReceipt]),
  response: z.object({ received: z.literal(true) }),
  failures: ['NOT_FOUND'],
});

/** The maximum of the database's columns. */
export const smsCapAtMost = 1_000_000;
export const smsCapMessage = 'Un nombre entier de 0 à 1 000 000.';
const cap = z.int(smsCapMessage).check(z.gte(0, smsCapMessage), z.lte(smsCapAtMost, smsCapMessage));

const smsSettingsForm = z.object({
  perDay: documented(cap, { description: 'Messages of a day (UTC), all countries together.' }),
  perCountryAndDay: documented(cap, { description: 'Messages of a day (UTC) to one country.' }),
  onDecision: documented(z.boolean(), { description: 'Whether people get an SMS when their ticket is decided.' }),
});
export type SmsSettingsForm = z.output<typeof smsSettingsForm>;

const smsSettings = component('SmsSettings', z.extend(smsSettingsForm, { updatedAt: z.nullable(instant) }));
export type SmsSettings = z.output<typeof smsSettings>;

/** Consecutive failures after which a gateway counts as broken. */
export const failuresOfBrokenGateway = 5;

const smsGateway = component(
  'SmsGateway',
  z.object({
    name: words(),
    dialCodes: documented(z.array(words()), { description: 'The countries that it serves, such as 226.' }),
    lastSentAt: z.nullable(instant),
    lastFailedAt: z.nullable(instant),
    failure: documented(z.nullable(words()), { description: 'Of its last failure, in words.' }),
    failuresInARow: count,
    balance: documented(z.nullable(z.int()), { description: 'Messages still paid for, where the gateway tells.' }),
    balanceAt: z.nullable(instant),
    balanceFailure: documented(z.nullable(words()), {
      description:
        'Why it could not be read the last time, in words; null where it could, or where the gateway does not tell.',
    }),
  }),
);
export type SmsGateway = z.output<typeof smsGateway>;

const counted = z.object({ queued: count, cap: count });

export const smsState = component(
  'SmsState',
  z.object({
    gateways: documented(z.array(smsGateway), {
      description: 'Those that are set, in the order in which the settings name them; each country may have another.',
    }),
    today: documented(z.object({ all: counted, countries: z.array(z.extend(counted, { countryCode: words() })) }), {
      description: "Today's counts (UTC) and caps.",
    }),
    settings: smsSettings,
  }),
);
export type SmsState = z.output<typeof smsState>;

export const readSms = endpoint('readSms', 'GET', '/api/admin/sms', {
  access: 'admin',
  summary: "The gateways, today's counts, and the settings.",
  response: smsState,
  topics: ['sms', 'settings'],
  dependsOnTime: true,
});

export const smsKinds = ['code', 'decision', 'alarm', 'test'] as const;
export const smsDeliveryStates = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'expired'] as const;

export const smsDelivery = component(
  'SmsDelivery',
  z.object({
    id,
    recipient: documented(words(), { description: 'Masked, but for its last two digits.' }),
    kind: z.enum(smsKinds),
    state: z.enum(smsDeliveryStates),
    gateway: documented(z.nullable(words()), { description: 'The last one that was asked.' }),
    failure: documented(z.nullable(words()), { description: 'Why the last attempt failed, in words.' }),
    createdAt: instant,
    sentAt: z.nullable(instant),
    deliveredAt: z.nullable(instant),
  }),
);
export type SmsDelivery = z.output<typeof smsDelivery>;

export const listSmsDeliveries = endpoint('listSmsDeliveries', 'GET', '/api/admin/sms/deliveries', {
  access: 'admin',
  summary: 'The last messages and their delivery, newest first; never their text.',
  response: z.array(smsDelivery),
  topics: ['sms'],
});

export const saveSmsSettings = endpoint('saveSmsSettings', 'PUT', '/api/admin/sms/settings', {
  access: 'admin',
  summary: 'Replaces the settings of SMS.',
  body: z.extend(smsSettingsForm, { expectedUpdatedAt }),
  response: smsSettings,
  failures: ['CHANGED_MEANWHILE'],
  audit: { title: 'Réglages des SMS modifiés', fields: ['perDay', 'perCountryAndDay', 'onDecision'] },
});

export const testSmsForm = z.object({ phone: text(40, 'Saisissez un numéro de téléphone.') });

export const sendTestSms = endpoint('sendTestSms', 'POST', '/api/admin/sms/test', {
  access: 'admin',
  summary: 'Queues a test message to a number of one of the seven countries.',
  body: testSmsForm,
  response: done,
  failures: ['PHONE_INVALID'],
  audit: { title: "SMS d'essai envoyé", fields: [] },
});
