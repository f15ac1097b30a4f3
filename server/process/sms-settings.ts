import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { countries } from '#contract/phone.ts';

/** What the names of a gateway's settings begin with: each has at least `<prefix>_URL` and `<prefix>_PER_SECOND`. */
export const gatewayPrefixes = { orange: 'ORANGE', infobip: 'INFOBIP', twilio: 'TWILIO', http: 'SMS_HTTP' } as const;
type RemoteGateway = keyof typeof gatewayPrefixes;
/** `console` and `file` send nothing. */
export type GatewayName = 'console' | 'file' | RemoteGateway;
const gatewayNames = ['console', 'file', ...Object.keys(gatewayPrefixes)];

/** '226' and the six others. */
const dialCodes = countries.map(({ code }) => code.slice(1));

/** What Orange's numbers to send from are, in the countries where its API sends (developer.orange.com). */
const orangeSenders = { '226': '2260000', '225': '2250000', '223': '2230000', '221': '2210000' };

const isGateway = (name: string): name is GatewayName => gatewayNames.includes(name);
const split = (text: string, by: string) => text.split(by).map((each) => each.trim());

/** A list of gateways by dial code, or by '*' for the dial codes that are not listed; undefined where it cannot be read. */
function readPlan(text: string): Map<string, GatewayName[]> | undefined {
  const parts = text.includes('=') ? split(text, ';').filter(Boolean) : [`*=${text}`];
  const plan = new Map<string, GatewayName[]>();
  for (const part of parts) {
    const [key = '', list = '', ...rest] = split(part, '=');
    const names = split(list, ',');
    const isKnown = key === '*' || dialCodes.includes(key);
    if (rest.length > 0 || !isKnown || plan.has(key) || !names.every(isGateway)) return undefined;
    plan.set(key, [...new Set(names.filter(isGateway))]);
  }
  return plan;
}

/** Visible characters alone: what may stand in a header. */
const visible = z.string().regex(/^[\x21-\x7e]+$/, 'des caractères visibles, sans espace ni accent');

/** No request goes to an address with keys in it: fetch refuses them all. */
const hasNoKeys = (url: string) => {
  const parsed = URL.parse(url);
  return !parsed?.username && !parsed?.password;
};

/** Keys travel encrypted, but to a fake on this very machine. */
const gatewayUrl = z
  .url({ protocol: /^https?$/, error: 'une adresse https' })
  .refine(
    (url) => /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(url),
    'une adresse https',
  )
  .refine(hasNoKeys, "sans nom ni mot de passe dans l'adresse : les clés de la passerelle ont leurs propres réglages")
  .transform((url) => url.replace(/\/+$/, ''));

/** Messages a second; one in ten seconds is 0.1. */
const perSecond = z.coerce
  .number('un nombre de messages par seconde')
  .positive('plus que 0')
  .max(1_000, '1000 au plus');

/** 'data.0.status' as its steps. */
const answerPath = z.string().regex(/^[^.=\s]+(?:\.[^.=\s]+)*$/, 'un chemin comme data.0.status');

/** What a request says of itself. */
const ownHeaders = ['host', 'content-length', 'connection', 'transfer-encoding'];

const headerList = z
  .string()
  .transform((text, context): Record<string, string> => {
    try {
      return z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'un objet JSON de noms et de valeurs' });
      return z.NEVER;
    }
  })
  .refine(
    (headers) => !Object.keys(headers).some((name) => ownHeaders.includes(name.toLowerCase())),
    `sans ${ownHeaders.join(', ')}, que chaque requête porte d'elle-même`,
  );

/** The settings of sending SMS, for the environment's schema. */
export const smsSettings = {
  SMS_PROVIDER: z
    .string()
    .refine(
      (text) => readPlan(text) !== undefined,
      `une liste de passerelles (${gatewayNames.join(', ')}), ou une par pays comme 226=orange,infobip;*=infobip`,
    )
    .default('console'),
  SMS_FILE: z
    .string()
    .min(1)
    .transform((file) => path.resolve(file))
    .optional(),
  SMS_RECEIPT_SECRET: z
    .string()
    .regex(/^[\w-]{32,100}$/, '32 à 100 lettres, chiffres, tirets ou traits bas')
    .optional(),
  ORANGE_URL: gatewayUrl.default('https://api.orange.com'),
  ORANGE_CLIENT_ID: visible.optional(),
  ORANGE_CLIENT_SECRET: visible.optional(),
  ORANGE_SENDER_NAME: z.string().max(11, '11 caractères au plus').optional(),
  ORANGE_SENDERS: z
    .string()
    .transform((text, context): Record<string, string> => {
      const pairs = split(text, ',').map((pair) => split(pair, '='));
      if (
        pairs.every(
          ([code = '', sender = '', ...rest]) => code in orangeSenders && /^\d{3,15}$/.test(sender) && !rest[0],
        )
      )
        return { ...orangeSenders, ...Object.fromEntries(pairs) };
      context.addIssue({ code: 'custom', message: `une liste comme 226=2260000,225=2250000` });
      return z.NEVER;
    })
    .default(orangeSenders),
  /** What Orange documents for every account (developer.orange.com). */
  ORANGE_PER_SECOND: perSecond.default(5),
  INFOBIP_URL: gatewayUrl.optional(),
  INFOBIP_API_KEY: visible.optional(),
  INFOBIP_SENDER: z.string().min(1).max(15, '15 caractères au plus').optional(),
  INFOBIP_PER_SECOND: perSecond.optional(),
  TWILIO_URL: gatewayUrl.default('https://api.twilio.com'),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC\w{10,40}$/, 'il commence par AC')
    .optional(),
  TWILIO_AUTH_TOKEN: visible.optional(),
  TWILIO_FROM: z.string().min(1).max(16).optional(),
  TWILIO_MESSAGING_SERVICE_SID: z
    .string()
    .regex(/^MG\w{10,40}$/, 'il commence par MG')
    .optional(),
  TWILIO_PER_SECOND: perSecond.optional(),
  SMS_HTTP_URL: z
    .url({ protocol: /^https?$/, error: 'une adresse http ou https' })
    .refine(
      hasNoKeys,
      'sans nom ni mot de passe dans l\'adresse : ils vont dans SMS_HTTP_HEADERS, comme {"Authorization":"Basic …"}',
    )
    .optional(),
  SMS_HTTP_HEADERS: headerList.default({}),
  SMS_HTTP_TYPE: z.enum(['json', 'form']).default('json'),
  SMS_HTTP_BODY: z
    .string()
    .refine(
      (body) => /\{to(?:Digits)?\}/.test(body) && body.includes('{text}'),
      'il y faut {to} ou {toDigits}, et {text}',
    )
    .optional(),
  SMS_HTTP_SENDER: z.string().default('Guichet'),
  SMS_HTTP_SUCCESS: z
    .string()
    .regex(/^[^.=\s]+(?:\.[^.=\s]+)*(?:=.+)?$/, "un chemin et ce qui s'y trouve, comme data.0.status=ok")
    .transform((text) => ({ path: (text.split('=', 1)[0] ?? '').split('.'), value: /=(.+)$/.exec(text)?.[1] }))
    .optional(),
  SMS_HTTP_ID: answerPath.transform((each) => each.split('.')).optional(),
  SMS_HTTP_COUNTRIES: z
    .string()
    .transform((text) => split(text, ','))
    .refine(
      (codes) => codes.every((code) => dialCodes.includes(code)),
      `une liste d'indicatifs : ${dialCodes.join(',')}`,
    )
    .optional(),
  SMS_HTTP_PER_SECOND: perSecond.optional(),
};

/** Those that are never repeated in a message: keys, and what keys often stand in. */
export const smsSecrets = [
  'SMS_RECEIPT_SECRET',
  'ORANGE_URL',
  'ORANGE_CLIENT_SECRET',
  'INFOBIP_URL',
  'INFOBIP_API_KEY',
  'TWILIO_URL',
  'TWILIO_AUTH_TOKEN',
  'SMS_HTTP_URL',
  'SMS_HTTP_HEADERS',
  'SMS_HTTP_BODY',
];

type SmsSettings = z.output<z.ZodObject<typeof smsSettings>>;

/** Countries that a gateway serves. */
function servedBy(name: GatewayName, settings: Pick<SmsSettings, 'ORANGE_SENDERS' | 'SMS_HTTP_COUNTRIES'>): string[] {
  if (name === 'orange') return Object.keys(settings.ORANGE_SENDERS);
  if (name === 'http') return settings.SMS_HTTP_COUNTRIES ?? dialCodes;
  return dialCodes;
}

/** Which gateways are set, in the order of their places, and which of them are tried for a country, in the order of trying. */
export interface SmsPlan {
  names: GatewayName[];
  byDialCode: Map<string, GatewayName[]>;
}

/** What SMS_PROVIDER means: a gateway of '*' is tried for the countries that it serves. */
export function planSms(
  settings: Pick<SmsSettings, 'SMS_PROVIDER' | 'ORANGE_SENDERS' | 'SMS_HTTP_COUNTRIES'>,
): SmsPlan {
  const plan = readPlan(settings.SMS_PROVIDER) ?? new Map<string, GatewayName[]>();
  const rest = plan.get('*') ?? [];
  const listed = (code: string) => plan.get(code) ?? rest.filter((name) => servedBy(name, settings).includes(code));
  return {
    names: [...new Set([...plan.values()].flat())],
    byDialCode: new Map(dialCodes.map((code) => [code, listed(code)])),
  };
}

/** What each gateway cannot do without; of names in one list any is enough. */
const needed: Record<GatewayName, readonly (readonly (keyof SmsSettings)[])[]> = {
  console: [],
  file: [],
  orange: [['ORANGE_CLIENT_ID'], ['ORANGE_CLIENT_SECRET']],
  infobip: [['INFOBIP_URL'], ['INFOBIP_API_KEY'], ['INFOBIP_SENDER']],
  twilio: [['TWILIO_ACCOUNT_SID'], ['TWILIO_AUTH_TOKEN'], ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID']],
  http: [['SMS_HTTP_URL'], ['SMS_HTTP_BODY']],
};

/** What is wrong with these settings taken together, in one sentence; undefined where nothing is. */
export function problemOfSms(settings: SmsSettings): string | undefined {
  const { names, byDialCode } = planSms(settings);
  for (const name of names)
    for (const anyOf of needed[name])
      if (anyOf.every((setting) => settings[setting] === undefined))
        return `Le réglage ${anyOf.join(' ou ')} manque : SMS_PROVIDER nomme la passerelle ${name}.`;
  const { SMS_HTTP_BODY: body } = settings;
  if (names.includes('http') && settings.SMS_HTTP_TYPE === 'json' && body && !isJsonOnceFilled(body))
    return "Le réglage SMS_HTTP_BODY n'est pas du JSON une fois ses places remplies ; SMS_HTTP_TYPE=form est un formulaire.";
  for (const { code, name: country } of countries) {
    const dialCode = code.slice(1);
    const list = byDialCode.get(dialCode) ?? [];
    const stranger = list.find((name) => !servedBy(name, settings).includes(dialCode));
    if (stranger)
      return `Le réglage SMS_PROVIDER donne à ${stranger} un pays que cette passerelle ne dessert pas : ${country} (${code}).`;
    if (list.length === 0)
      return `Le réglage SMS_PROVIDER ne laisse aucune passerelle pour ce pays : ${country} (${code}).`;
  }
  return undefined;
}

/** A first start makes DATA_DIR by itself, and no other folder. */
export function problemOfSmsFile(settings: SmsSettings & { SMS_FILE?: string; DATA_DIR: string }): string | undefined {
  const { SMS_FILE: file, DATA_DIR: dataFolder } = settings;
  if (!file || !planSms(settings).names.includes('file')) return undefined;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return `Le réglage SMS_FILE nomme un dossier (« ${file} ») : nommez un fichier.`;
  if (path.dirname(file) === dataFolder) return undefined;
  try {
    accessSync(path.dirname(file), constants.W_OK);
    return undefined;
  } catch {
    return `Le réglage SMS_FILE nomme un fichier (« ${file} ») dont le dossier n'existe pas, ou n'est pas à écrire pour ce compte : créez ce dossier, ou nommez-en un autre.`;
  }
}

function isJsonOnceFilled(body: string): boolean {
  try {
    JSON.parse(body.replace(/\{(?:to|toDigits|text|sender|reference)\}/g, '0'));
    return true;
  } catch {
    return false;
  }
}
