import * as z from 'zod';
import { possiblePhones } from '#contract/phone.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65535));

/** A list of mobile numbers, each international. */
const phones = z.string().transform((list, context) => {
  const read = list.split(',').map((each) => (each.trim().startsWith('+') ? possiblePhones(each.trim()) : []));
  if (read.every((found) => found.length === 1)) return [...new Set(read.flat())];
  context.addIssue({ code: 'custom', message: 'des numéros mobiles internationaux, séparés par des virgules' });
  return z.NEVER;
});

/** A webhook's address: encrypted, but for a relay on this very machine. */
const webhook = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith('https:') || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname),
    'une adresse https',
  )
  .refine(
    (url) => !new URL(url).username && !new URL(url).password,
    'une adresse sans nom ni mot de passe : la clé va après le « ? » ou dans le chemin',
  );

/** Settings that hold a key: never repeated in a message. */
export const watchSecrets = ['ALARM_WEBHOOK', 'ALARM_WEBHOOK_SECRET'];

/** Settings of who watches the product, and how. */
export const watchSettings = {
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  STOP_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'un nombre de secondes')
    .transform(Number)
    .pipe(z.number().max(300, '300 secondes au plus'))
    .default(0),
  ALARM_PHONE: phones.default([]),
  ALARM_WEBHOOK: webhook.optional(),
  ALARM_WEBHOOK_SECRET: z.string().min(16, 'au moins 16 caractères').optional(),
};
