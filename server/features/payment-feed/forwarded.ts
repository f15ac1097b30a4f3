import { messageLength } from '#contract/payments.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';

/** An SMS as a phone's app hands it over; without a text it says nothing. */
export interface Forwarded {
  text: string;
  sender: string | null;
  /** As the message is stamped, whoever's clock that is. */
  stampedAt: Date | null;
  /** Which SIM it came to, in the app's words. */
  sim: string | null;
  /** Why nothing is to be read in it, in French. */
  why?: string;
}

const longestName = 60;

/** What a field says, whatever it is: a sender, a text, a SIM. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    // Deeper than the stack.
    return '';
  }
}

/** So many characters, without what neither PostgreSQL nor UTF-8 keeps: NUL, with which some modems fill up, and half a character. */
function cleaned(text: string, length: number): string {
  let end = Math.min(text.length, length);
  while (text[end - 1] === '\0') end -= 1;
  return text.slice(0, end).replaceAll('\0', '\ufffd').toWellFormed();
}
const nameOf = (value: unknown) => cleaned(wordsOf(value).trim(), longestName) || null;

/** One name for a SIM in both apps; *Incoming SMS to URL forwarder* says 'undetected' where it does not know. */
function simOf(value: unknown): string | null {
  const name = nameOf(value)?.toUpperCase() ?? null;
  if (name === 'UNDETECTED') return null;
  return name && /^\d+$/.test(name) ? `SIM${name}` : name;
}

/** Only what PostgreSQL keeps too is a time. */
const inCalendar = (at: Date): Date | null => (at.getUTCFullYear() >= 2000 && at.getUTCFullYear() < 3000 ? at : null);

/** A stamp: milliseconds or seconds since 1970, or ISO 8601; null of anything else. */
function stampOf(value: unknown): Date | null {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const number = Number(value);
  return inCalendar(new Date(Number.isNaN(number) ? value : number < 1e11 ? number * 1_000 : number));
}

/** The text that a body is: by its declared encoding, else UTF-8, else what Windows writes here. Never throws. */
export function decodeBody(bytes: Uint8Array, contentType = ''): string {
  const named = /charset="?([\w-]+)/i.exec(contentType)?.[1];
  for (const encoding of [named, 'utf-8'])
    try {
      if (encoding) return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Another encoding than it says, or one that is unknown.
    }
  return new TextDecoder('windows-1252').decode(bytes);
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a text is as JSON; undefined where it is none. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The SMS of the fields of an app; undefined of a form that none has, and 'alive' of an event that is no SMS. */
function readFields({ event, payload, text, ...fields }: Fields): Forwarded | 'alive' | undefined {
  if (text !== undefined)
    return {
      text: wordsOf(text),
      sender: nameOf(fields.from),
      stampedAt: stampOf(fields.sentStamp) ?? stampOf(fields.receivedStamp),
      sim: simOf(fields.sim),
    };
  if (typeof event !== 'string') return undefined;
  // Of *SMS Gateway*: whether it is there, and what became of what it sent.
  if (event !== 'sms:received') return /^\w+:[\w-]+$/.test(event) ? 'alive' : undefined;
  if (!isFields(payload) || payload.message === undefined) return undefined;
  return {
    text: wordsOf(payload.message),
    sender: nameOf(payload.sender ?? payload.phoneNumber),
    stampedAt: stampOf(payload.receivedAt),
    sim: simOf(payload.simNumber),
  };
}

/**
 * What a phone's app brings, whatever its form: the fields of *Incoming SMS to URL forwarder* or of *SMS Gateway* (capcom6), as
 * JSON or as a form; a text alone; of any other form the body itself, with why it is not read. Undefined of a sign of life.
 */
export function readForwarded(body: string, contentType: string | undefined): Forwarded | undefined {
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType ?? '');
  const json = parseJson(body) ?? (isForm ? Object.fromEntries(new URLSearchParams(body)) : undefined);
  const read = isFields(json) ? readFields(json) : undefined;
  if (read === 'alive') return undefined;
  const plain = { sender: null, stampedAt: null, sim: null };
  const isText = typeof json === 'string' || !/^\s*[[{]/.test(body);
  const unknown = { ...plain, text: body, why: "Ce téléphone l'a envoyé sous une forme inconnue." };
  const given = read ?? (isText ? { ...plain, text: typeof json === 'string' ? json : body } : unknown);
  const text = cleaned(given.text, messageLength);
  return given.text.length > messageLength
    ? { ...given, text, why: 'Ce message est trop long pour un SMS : sa fin manque.' }
    : { ...given, text };
}

/** How far the clock behind a time in seconds is behind ours, in milliseconds; undefined where it is no time. */
export const clockOffMs = (time: string | undefined, now: number): number | undefined =>
  /^\d{1,12}$/.test(time ?? '') ? now - Number(time) * 1_000 : undefined;

/** The same in whole minutes, of no more than a lifetime. */
export const clockMinutes = (offMs: number): number => Math.max(-5e7, Math.min(5e7, Math.round(offMs / 60_000)));

export const isClockRight = (offMs: number): boolean => Math.abs(offMs) <= paymentFeedLimits.clockMs;

/**
 * When a message was sent, by its stamp and by how far its phone's clock is behind. Both apps stamp with the network's time
 * (Android's `SmsMessage.getTimestampMillis`), which is right whatever the phone's clock is. A stamp of now by the phone's own
 * clock, or one that is ahead of ours, is the phone's, and is put right.
 */
export function sentAtOf(stampedAt: Date | null, offMs: number | undefined, now: number): Date | null {
  if (!stampedAt || offMs === undefined || isClockRight(offMs)) return stampedAt;
  const stamp = stampedAt.getTime();
  const isOfPhone =
    stamp > now + paymentFeedLimits.clockMs || Math.abs(stamp - (now - offMs)) <= 2 * paymentFeedLimits.clockMs;
  return isOfPhone ? inCalendar(new Date(stamp + offMs)) : stampedAt;
}
