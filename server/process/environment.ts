import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { isCommonPassword } from '#contract/common-passwords.ts';
import { possiblePhones } from '#contract/phone.ts';
import { backupSettings } from './backup-settings.ts';
import { CannotStart } from './cannot-start.ts';
import { databaseUrl } from './database-url.ts';
import { problemOfSms, problemOfSmsFile, smsSecrets, smsSettings } from './sms-settings.ts';
import { missingStorageSetting, storageSecrets, storageSettings } from './storage-settings.ts';
import { watchSecrets, watchSettings } from './watch-settings.ts';

/** An IP address, or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}

/** Never repeated in a message. */
export const secrets = [
  'SESSION_SECRET',
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'BACKUP_PASSPHRASE',
  ...smsSecrets,
  ...storageSecrets,
  ...watchSecrets,
];
const onOff = z.enum(['on', 'off']);

/** All there are, by name. */
export const settings = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.number().max(65535))
    .default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((folder) => path.resolve(folder)),
  SESSION_SECRET: z.string().min(32, 'au moins 32 caractères').optional(),
  ADMIN_PHONE: z
    .string()
    .default('+22670000000')
    .transform((phone, context) => {
      const [e164, ...others] = phone.trim().startsWith('+') ? possiblePhones(phone) : [];
      if (e164 && others.length === 0) return e164;
      context.addIssue({ code: 'custom', message: 'un numéro mobile international, par exemple +22670000000' });
      return z.NEVER;
    }),
  ADMIN_PASSWORD: z
    .string()
    .min(6, 'au moins 6 caractères')
    .max(128)
    .refine((password) => !isCommonPassword(password), 'ce mot de passe est trop courant')
    .optional(),
  ...smsSettings,
  ...storageSettings,
  ...backupSettings,
  TRUST_PROXY: z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .refine((list) => list.every(isNetwork), "une liste d'adresses ou de réseaux (CIDR), séparés par des virgules")
    .optional(),
  RATE_LIMITS: onOff.default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  NODE_ENV: z.string().optional(),
  ...watchSettings,
});

export type Environment = z.output<typeof settings>;

/** A setting that cannot be read; its message is one sentence naming the variable. */
export class UnreadableSetting extends CannotStart {}

/** Takes in the settings of a .env file in the current folder, if there is one; what is set already stands. */
export function loadEnvironmentFile(): void {
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) process.loadEnvFile('.env');
}

/** Reads the settings; an empty variable counts as unset. Throws `UnreadableSetting`. */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = settings.safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    const name = String(issue?.path[0]);
    throw new UnreadableSetting(
      `Le réglage ${name} est illisible${secrets.includes(name) ? '' : ` (« ${given[name]} »)`} : ${issue?.message}.`,
    );
  }
  const { data } = result;
  if (data.RATE_LIMITS === 'off' && data.NODE_ENV === 'production')
    throw new UnreadableSetting('Le réglage RATE_LIMITS ne peut pas valoir « off » quand NODE_ENV vaut production.');
  const problem = problemOfSms(data) ?? problemOfSmsFile(data) ?? missingStorageSetting(data);
  if (problem) throw new UnreadableSetting(problem);
  return data;
}
