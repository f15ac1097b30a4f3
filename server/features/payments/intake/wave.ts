import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { readPhone } from '#contract/read-phone.ts';
import { isSame } from '#server/process/secret-file.ts';
import { parseJson } from './forwarded.ts';
import type { ToldLine } from './lines.ts';

const hmac = (secret: string, ...parts: (string | Buffer)[]) => {
  const digest = createHmac('sha256', secret);
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
};

/**
 * When a Wave event was signed by one of these secrets, in milliseconds; undefined if it was not. Wave's portal has two ways
 * (docs.wave.com/webhook). One is `Wave-Signature: t=<s>,v1=<hex>[,v1=…]` over time and raw body. The other is the secret itself as a
 * bearer, which has no time and counts as now.
 */
export function waveSignatureTime(
  { signature = '', authorization = '' }: { signature?: string | undefined; authorization?: string | undefined },
  body: Buffer,
  secrets: readonly string[],
  now: number,
): number | undefined {
  const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (bearer && secrets.some((secret) => isSame(bearer, secret))) return now;
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return undefined;
  const given = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value);
  const isSigned = secrets.some((secret) => given.some((each) => isSame(each, hmac(secret, time, body))));
  return isSigned ? Number(time) * 1_000 : undefined;
}

/**
 * Whether *SMS Gateway* (capcom6) signed a message by one of these secrets: `X-Signature`, hex, over body and `X-Timestamp`. The phone's
 * clock may be wrong, so the time is not checked; repeats are recognised by their content.
 */
export const isSignedByGateway = (
  { signature = '', time = '' }: { signature: string | undefined; time: string | undefined },
  body: Buffer,
  secrets: readonly string[],
): boolean => secrets.some((secret) => isSame(signature.toLowerCase(), hmac(secret, body, time)));

const text = z.optional(z.nullable(z.string()));
const received = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  amount: z.string().check(z.regex(/^\d{1,9}(?:\.0+)?$/)),
  fee: z.optional(z.nullable(z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,2})?$/)))),
  currency: z.literal('XOF'),
  sender_mobile: text,
  when_created: z.string(),
  client_reference: text,
  custom_fields: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});

/** Any event of Wave's server; most are no incoming payments. */
const envelope = z.object({ type: z.string(), data: z.optional(z.unknown()) });

/**
 * The line of a Wave event; 'unknown' for a payment in a new form, undefined for other events. Amounts are net: gross is amount plus fee.
 */
export function readWaveEvent(body: string, country: string): ToldLine | 'unknown' | undefined {
  const { data: event } = envelope.safeParse(parseJson(body));
  if (event && event.type !== 'merchant.payment_received') return undefined;
  return (event && paymentOf(event.data, country)) ?? 'unknown';
}

function paymentOf(given: unknown, country: string): ToldLine | undefined {
  const { data } = received.safeParse(given);
  if (!data) return undefined;
  const paidAt = new Date(data.when_created);
  const fee = Math.round(Number(data.fee ?? 0) * 100);
  const gross = Number(data.amount) + fee / 100;
  const year = paidAt.getUTCFullYear();
  if (!(year >= 2000 && year < 3000) || !Number.isInteger(gross)) return undefined;
  const typed = [data.client_reference, ...Object.values(data.custom_fields ?? {})].filter(
    (each) => typeof each === 'string',
  );
  const named = typed.map((each) => /^\s*T[\s-]?(\d{1,9})\s*$/i.exec(each)?.[1]).find(Boolean);
  const payer = data.sender_mobile ? readPhone(data.sender_mobile, country) : undefined;
  return {
    direction: 'in',
    state: 'settled',
    gross,
    fee,
    balanceAfter: null,
    reference: data.id.toUpperCase(),
    ourReference: Number(named ?? 0) || null,
    payer: payer && 'e164' in payer ? payer.e164 : null,
    paidAt,
    senderMay: true,
  };
}
