import path from 'node:path';
import * as z from 'zod';
import { countries } from '#contract/phone.ts';

/** `console` and `file` send nothing. */
const gatewayNames = ['console', 'file', 'orange', 'http'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** The seven countries' dial codes, such as '226'. */
const dialCodes = countries.map(({ code }) => code.slice(1));

/** Orange's numbers to send from, in the countries where its API sends (developer.orange.com). */
export const orangeSenders: Readonly<Record<string, string>> = {
  '226': '2260000',
  '225': '2250000',
  '223': '2230000',
  '221': '2210000',
};

const isGateway = (name: string): name is GatewayName => gatewayNames.some((each) => each === name);
const split = (text: string, by: string) => text.split(by).map((each) => each.trim());

/** Gateways by dial code, with '*' for the dial codes that are not listed; undefined for an unreadable text. */
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

const provider = z
  .string()
  .refine(
    (text) => readPlan(text) !== undefined,
    `une liste de passerelles (${gatewayNames.join(', ')}), ou une par pays comme 226=orange,http;*=http`,
  )
  .default('console');

/** Visible ASCII characters, as a header allows. */
const visible = z.string().regex(/^[\x21-\x7e]+$/, 'des caractères visibles, sans espace ni accent');

/** `fetch` refuses every address with credentials in it. */
const hasNoKeys = (url: string) => {
  const parsed = URL.parse(url);
  return !parsed?.username && !parsed?.password;
};

/** https, since keys travel with the request; a fake on this machine may use http. */
const orangeUrl = z
  .url({ protocol: /^https?$/, error: 'une adresse https' })
  .refine(
    (url) => /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(url),
    'une adresse https',
  )
  .refine(hasNoKeys, "sans nom ni mot de passe dans l'adresse : ils vont dans ORANGE_CLIENT_ID et ORANGE_CLIENT_SECRET")
  .transform((url) => url.replace(/\/+$/, ''));

/** The placeholders that a template may hold. */
const places = ['to', 'toDigits', 'text', 'from'];
const hasKnownPlaces = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => places.includes(name));
const knownPlaces = 'les seules places sont {to}, {toDigits}, {text} et {from}';

const headerList = z.string().transform((text, context): Record<string, string> => {
  try {
    return z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'un objet JSON de noms et de valeurs' });
    return z.NEVER;
  }
});

/** The SMS settings, for the environment's schema. */
export const smsSettings = {
  SMS_PROVIDER: provider,
  SMS_FILE: z
    .string()
    .min(1)
    .transform((file) => path.resolve(file))
    .optional(),
  ORANGE_URL: orangeUrl.default('https://api.orange.com'),
  ORANGE_CLIENT_ID: visible.optional(),
  ORANGE_CLIENT_SECRET: visible.optional(),
  ORANGE_SENDER_NAME: z.string().max(11, '11 caractères au plus').optional(),
  SMS_HTTP_METHOD: z.enum(['GET', 'POST']).default('POST'),
  SMS_HTTP_URL: z
    .url({ protocol: /^https?$/, error: 'une adresse http ou https' })
    .refine(hasNoKeys, "sans nom ni mot de passe dans l'adresse : ils vont dans SMS_HTTP_BASIC, comme nom:mot-de-passe")
    .refine(hasKnownPlaces, knownPlaces)
    .optional(),
  SMS_HTTP_HEADERS: headerList.default({}),
  SMS_HTTP_BASIC: z
    .string()
    .regex(/^[^:]+:./, 'un nom et un mot de passe, comme nom:mot-de-passe')
    .optional(),
  SMS_HTTP_TYPE: z.enum(['json', 'form']).default('json'),
  SMS_HTTP_BODY: z.string().refine(hasKnownPlaces, knownPlaces).optional(),
  SMS_HTTP_FROM: z.string().default('Guichet'),
  SMS_HTTP_SUCCESS: z
    .string()
    .regex(/^[^.=\s]+(?:\.[^.=\s]+)*(?:=.+)?$/, "un chemin et ce qui s'y trouve, comme data.0.status=ok")
    .transform((text) => ({ path: (text.split('=', 1)[0] ?? '').split('.'), value: /=(.+)$/.exec(text)?.[1] }))
    .optional(),
};

/** Settings whose values no message repeats: keys, and texts that often hold keys. */
export const smsSecrets = [
  'ORANGE_URL',
  'ORANGE_CLIENT_SECRET',
  'SMS_HTTP_URL',
  'SMS_HTTP_HEADERS',
  'SMS_HTTP_BASIC',
  'SMS_HTTP_BODY',
];

type SmsSettings = z.output<z.ZodObject<typeof smsSettings>>;

/** The configured gateways in their order, and those tried for a country, in the order of trying. */
export interface SmsPlan {
  names: GatewayName[];
  byDialCode: Map<string, GatewayName[]>;
}

/** Reads SMS_PROVIDER. A gateway under '*' is tried only for the countries that it serves: Orange does not serve all. */
export function planSms(settings: Pick<SmsSettings, 'SMS_PROVIDER'>): SmsPlan {
  const plan = readPlan(settings.SMS_PROVIDER) ?? new Map<string, GatewayName[]>();
  const listed = (code: string) =>
    plan.get(code) ?? (plan.get('*') ?? []).filter((name) => name !== 'orange' || code in orangeSenders);
  return {
    names: [...new Set([...plan.values()].flat())],
    byDialCode: new Map(dialCodes.map((code) => [code, listed(code)])),
  };
}

/** Settings that a gateway requires. */
const needed: Partial<Record<GatewayName, readonly (keyof SmsSettings)[]>> = {
  orange: ['ORANGE_CLIENT_ID', 'ORANGE_CLIENT_SECRET'],
  http: ['SMS_HTTP_URL'],
};

/** What is wrong with the combination of these settings, in one French sentence; undefined if they are valid. */
export function problemOfSms(settings: SmsSettings): string | undefined {
  const { names, byDialCode } = planSms(settings);
  for (const name of names) {
    const missing = needed[name]?.find((setting) => settings[setting] === undefined);
    if (missing) return `Le réglage ${missing} manque : SMS_PROVIDER nomme la passerelle ${name}.`;
  }
  const problem = names.includes('http') ? problemOfHttp(settings) : undefined;
  if (problem) return problem;
  for (const { code, name: country } of countries) {
    const list = byDialCode.get(code.slice(1)) ?? [];
    if (list.includes('orange') && !(code.slice(1) in orangeSenders))
      return `Le réglage SMS_PROVIDER donne à orange un pays que cette passerelle ne dessert pas : ${country} (${code}).`;
    if (list.length === 0)
      return `Le réglage SMS_PROVIDER ne laisse aucune passerelle pour ce pays : ${country} (${code}).`;
  }
  return undefined;
}

function problemOfHttp(settings: SmsSettings): string | undefined {
  const { SMS_HTTP_METHOD: method, SMS_HTTP_URL: url = '', SMS_HTTP_BODY: body = '', SMS_HTTP_TYPE: type } = settings;
  if (method === 'GET' && body)
    return 'Le réglage SMS_HTTP_BODY ne va pas avec SMS_HTTP_METHOD=GET : mettez les places dans SMS_HTTP_URL.';
  if (!/\{to(?:Digits)?\}/.test(url + body) || !(url + body).includes('{text}'))
    return `Le réglage ${method === 'GET' ? 'SMS_HTTP_URL' : 'SMS_HTTP_BODY'} est incomplet : il y faut {to} ou {toDigits}, et {text}.`;
  if (type === 'json' && body && !isJsonOnceFilled(body))
    return "Le réglage SMS_HTTP_BODY n'est pas du JSON une fois ses places remplies ; SMS_HTTP_TYPE=form est un formulaire.";
  return undefined;
}

function isJsonOnceFilled(body: string): boolean {
  try {
    JSON.parse(body.replace(/\{\w+\}/g, '0'));
    return true;
  } catch {
    return false;
  }
}
