import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, count, documented, done, expectedUpdatedAt, instant, text, words } from './shapes.ts';

/** The highest cap that the database accepts. */
export const smsCapAtMost = 1_000_000;
export const smsCapMessage = 'Un nombre entier de 0 à 1 000 000.';
const cap = z.int(smsCapMessage).check(z.gte(0, smsCapMessage), z.lte(smsCapAtMost, smsCapMessage));

const smsSettingsForm = z.object({
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
  }),
);
export type SmsGateway = z.output<typeof smsGateway>;

export const smsState = component(
  'SmsState',
  z.object({
    gateways: documented(z.array(smsGateway), {
      description: 'Those that are set, in the order in which the settings name them; each country may have another.',
    }),
    today: z.object({
      countries: documented(z.array(z.object({ countryCode: words(), queued: count, cap: count })), {
        description: "Today's counts (UTC) and caps.",
      }),
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

export const saveSmsSettings = endpoint('saveSmsSettings', 'PUT', '/api/admin/sms/settings', {
  access: 'admin',
  summary: 'Replaces the settings of SMS.',
  body: z.extend(smsSettingsForm, { expectedUpdatedAt }),
  response: smsSettings,
  failures: ['CHANGED_MEANWHILE'],
  audit: { title: 'Réglages des SMS modifiés', fields: ['perCountryAndDay', 'onDecision'] },
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
