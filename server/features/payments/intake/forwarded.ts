import { messageLength } from '#contract/payments.ts';
import { paymentFeedLimits } from './limits.ts';

/** An SMS as a phone's app forwards it. */
export interface Forwarded {
  text: string;
  sender: string | null;
  /** The message's time stamp, by the network's or the phone's clock. */
  stampedAt: Date | null;
  /** The SIM that received it, as the app names it. */
  sim: string | null;
  /** Why it cannot be read, in French. */
  why?: string;
}

const longestName = 60;

/** A field's value as text: a sender, a text, a SIM. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deeply for the stack.
    return '';
  }
}

/**
 * A text of at most `length` characters, without NUL, which some modems append and PostgreSQL refuses, and without half a surrogate pair.
 */
function cleaned(text: string, length: number): string {
  let end = Math.min(text.length, length);
  while (text[end - 1] === '\0') end -= 1;
  return text.slice(0, end).replaceAll('\0', '\ufffd').toWellFormed();
}
const nameOf = (value: unknown) => cleaned(wordsOf(value).trim(), longestName) || null;

/** A SIM's name, the same for both apps. *Incoming SMS to URL forwarder* sends 'undetected' for an unknown one. */
function simOf(value: unknown): string | null {
  const name = nameOf(value)?.toUpperCase() ?? null;
  if (name === 'UNDETECTED') return null;
  return name && /^\d+$/.test(name) ? `SIM${name}` : name;
}

/** Only times that PostgreSQL can store count. */
const inCalendar = (at: Date): Date | null => (at.getUTCFullYear() >= 2000 && at.getUTCFullYear() < 3000 ? at : null);

/** Reads a time stamp: milliseconds or seconds since 1970, or ISO 8601; null for anything else. */
function stampOf(value: unknown): Date | null {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const number = Number(value);
  return inCalendar(new Date(Number.isNaN(number) ? value : number < 1e11 ? number * 1_000 : number));
}

/** Decodes a body: by its declared encoding, else as UTF-8, else as windows-1252. Never throws. */
export function decodeBody(bytes: Uint8Array, contentType = ''): string {
  const named = /charset="?([\w-]+)/i.exec(contentType)?.[1];
  for (const encoding of [named, 'utf-8'])
    try {
      if (encoding) return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The declared encoding is wrong or unknown.
    }
  return new TextDecoder('windows-1252').decode(bytes);
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text parsed as JSON; undefined if it is none. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The SMS in an app's fields; 'alive' for another event of the app, undefined for an unknown form. */
function readFields({ event, payload, text, ...fields }: Fields): Forwarded | 'alive' | undefined {
  if (text !== undefined)
    return {
      text: wordsOf(text),
      sender: nameOf(fields.from),
      stampedAt: stampOf(fields.sentStamp) ?? stampOf(fields.receivedStamp),
      sim: simOf(fields.sim),
    };
  if (typeof event !== 'string') return undefined;
  // *SMS Gateway* also sends pings, and reports on the SMS that it sent.
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
 * Reads a forwarded SMS in any form. Known are the fields of *Incoming SMS to URL forwarder* and *SMS Gateway* (capcom6), as JSON or as a
 * form, and a text alone. In any other form the text is the body, with the reason why it is not read. Undefined for a sign of life.
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

/** How many milliseconds a time in seconds is behind our clock; undefined if it is no time. */
export const clockOffMs = (time: string | undefined, now: number): number | undefined =>
  /^\d{1,12}$/.test(time ?? '') ? now - Number(time) * 1_000 : undefined;

/** The same in whole minutes, bounded to a lifetime. */
export const clockMinutes = (offMs: number): number => Math.max(-5e7, Math.min(5e7, Math.round(offMs / 60_000)));

export const isClockRight = (offMs: number): boolean => Math.abs(offMs) <= paymentFeedLimits.clockMs;

/**
 * When a message was sent, by its stamp and the error of the phone's clock. Both apps use the network's time (Android's
 * `SmsMessage.getTimestampMillis`), which does not depend on the phone's clock. A stamp that equals the phone's present time, or is ahead
 * of ours, is by the phone's clock and is corrected.
 */
export function sentAtOf(stampedAt: Date | null, offMs: number | undefined, now: number): Date | null {
  if (!stampedAt || offMs === undefined || isClockRight(offMs)) return stampedAt;
  const stamp = stampedAt.getTime();
  const isOfPhone =
    stamp > now + paymentFeedLimits.clockMs || Math.abs(stamp - (now - offMs)) <= 2 * paymentFeedLimits.clockMs;
  return isOfPhone ? inCalendar(new Date(stamp + offMs)) : stampedAt;
}
