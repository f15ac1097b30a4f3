import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { readPhone } from '#contract/read-phone.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';
import type { ToldLine } from './lines.ts';

function equal(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** Whether a signature's time, in seconds, is now's. */
const isOfNow = (time: string, now: Date) =>
  /^\d{1,12}$/.test(time) && Math.abs(now.getTime() / 1_000 - Number(time)) <= paymentFeedLimits.signatureSeconds;

/**
 * Whether an event is Wave's: `Wave-Signature: t=<s>,v1=<hex>[,v1=…]` over time and raw body, by one of these secrets, five
 * minutes old at most (docs.wave.com/webhook).
 */
export function isSignedByWave(
  header: string | undefined,
  body: string,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!isOfNow(time, now)) return false;
  const given = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value);
  return secrets.some((secret) => given.some((each) => equal(each, hmac(secret, time + body))));
}

/** Whether a message is of *SMS Gateway* (capcom6): `X-Signature`, hex, over body and `X-Timestamp` in seconds, by one of these secrets. */
export function isSignedByGateway(
  { signature = '', time = '' }: { signature: string | undefined; time: string | undefined },
  body: string,
  secrets: readonly string[],
  now: Date,
): boolean {
  return isOfNow(time, now) && secrets.some((secret) => equal(signature.toLowerCase(), hmac(secret, body + time)));
}

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

/** The payment that an event of Wave's tells of; undefined where it tells of none. Amounts are net: gross is amount and fee. */
export function readWaveEvent(event: { type: string; data?: unknown }, country: string): ToldLine | undefined {
  if (event.type !== 'merchant.payment_received') return undefined;
  const { data } = received.safeParse(event.data);
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
    isTrusted: true,
  };
}
