import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { isCommonPassword } from '#contract/common-passwords.ts';
import { possiblePhones } from '#contract/read-phone.ts';
import { isThisMachine } from '#contract/this-machine.ts';
import { CannotStart } from './cannot-start.ts';
import { problemOfSms, smsSecrets, smsSettings } from './sms-settings.ts';

/** An IP address, or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}

/** Settings whose values no message repeats. */
export const secrets = [
  'SESSION_SECRET',
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'BACKUP_PASSPHRASE',
  ...smsSecrets,
  'ALARM_WEBHOOK',
  'ALARM_WEBHOOK_SECRET',
];

const onOff = z.enum(['on', 'off']);
const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65535));
const folder = z
  .string()
  .min(1)
  .transform((name) => path.resolve(name));
const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, `un nombre entier de ${from} à ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `un nombre entier de ${from} à ${to}`);

/** A mobile number in E.164; undefined for an invalid or ambiguous one. */
function readInternational(text: string): string | undefined {
  const [e164, ...others] = text.trim().startsWith('+') ? possiblePhones(text.trim()) : [];
  return others.length === 0 ? e164 : undefined;
}

/** The address of one server. One that names several is no valid URL, or has the comma in its host. */
const databaseUrl = z
  .string()
  .refine(
    (url) => z.url({ protocol: /^postgres(?:ql)?$/ }).safeParse(url).success && !new URL(url).hostname.includes(','),
    "l'adresse postgres://… d'un seul serveur ; de plusieurs, celle qui mène à celui qui écrit (HAProxy, ou votre hébergeur)",
  );

/** The site's address. Cookies, links and the service worker need a whole host. */
const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.parse(url)?.href === `${URL.parse(url)?.origin}/`, {
    message:
      "l'adresse seule, sans chemin ni mot de passe : Guichet occupe un nom entier, comme https://guichet.example",
    abort: true,
  })
  .transform((url) => new URL(url).origin);

/** A webhook's address: https, except for a relay on this machine. */
const webhook = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isThisMachine(new URL(url).hostname), 'une adresse https')
  .refine(
    (url) => !new URL(url).username && !new URL(url).password,
    'une adresse sans nom ni mot de passe : la clé va après le « ? » ou dans le chemin',
  );

/** Minimum characters of a passphrase: six words. */
const passphraseCharacters = 16;

/** Every setting, by name. */
export const settings = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: publicUrl.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: folder.prefault('./data'),
  SESSION_SECRET: z.string().min(32, 'au moins 32 caractères').optional(),
  ADMIN_PHONE: z
    .string()
    .default('+22670000000')
    .transform((phone, context) => {
      const e164 = readInternational(phone);
      if (e164) return e164;
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
  /** Unset, backups are made only by hand. */
  BACKUP_DIR: folder.optional(),
  /** The hour of the day, in UTC. */
  BACKUP_HOUR: whole(0, 23).default(3),
  /** Number of backups kept. */
  BACKUP_KEEP: whole(1, 1000).default(14),
  BACKUP_PASSPHRASE: z.string().min(passphraseCharacters, `au moins ${passphraseCharacters} caractères`).optional(),
  TRUST_PROXY: z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .refine((list) => list.every(isNetwork), "une liste d'adresses ou de réseaux (CIDR), séparés par des virgules")
    .optional(),
  RATE_LIMITS: onOff.default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  NODE_ENV: z.string().optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  STOP_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'un nombre de secondes')
    .transform(Number)
    .pipe(z.number().max(300, '300 secondes au plus'))
    .default(0),
  ALARM_WEBHOOK: webhook.optional(),
  ALARM_WEBHOOK_SECRET: z.string().min(16, 'au moins 16 caractères').optional(),
});

export type Environment = z.output<typeof settings>;

/** Whether the product has a public address. A trial has none, or this machine's. */
export const isPublic = ({ PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL !== undefined && !isThisMachine(new URL(PUBLIC_URL).hostname);

/** An unreadable setting; its message is one sentence that names the variable. */
export class UnreadableSetting extends CannotStart {}

/** The settings of a .env file in the current folder, if there is one. Windows may write it in UTF-16, or with a byte order mark. */
export function readEnvironmentFile(): NodeJS.Dict<string> {
  if (!statSync('.env', { throwIfNoEntry: false })?.isFile()) return {};
  const bytes = readFileSync('.env');
  // Either decoder removes the byte order mark.
  return parseEnv(new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-8').decode(bytes));
}

/** Loads the settings of a .env file in the current folder, if there is one. Variables that are set keep their value. */
export function loadEnvironmentFile(): void {
  for (const [name, value] of Object.entries(readEnvironmentFile())) process.env[name] ??= value;
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
  const problem = problemOfSms(data);
  if (problem) throw new UnreadableSetting(problem);
  return data;
}
