import type { NotSent } from '#server/features/sms/gateway.ts';
import { smsLimits } from '#server/process/sms-limits.ts';

/** Statuses of a refused caller, whatever the message: keys, credit, a wrong address. */
const ofAccount = [401, 402, 403, 404, 405, 407];

/**
 * What an answer means that is no success, by its status alone; undefined for 2xx. `code` is the gateway's own name for what is
 * wrong, and `codes` those that are known.
 */
export function failureByStatus(
  { status, retryAfterSeconds }: { status: number; retryAfterSeconds: number | undefined },
  code: unknown,
  codes?: KnownCodes,
): NotSent | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400)
    return { kind: 'refused', failure: `redirection ${status}, non suivie`, about: 'account' };
  if (status === 429) return { kind: 'unreachable', failure: 'trop de messages (429)', retryAfterSeconds };
  if (status >= 500 || status === 408)
    return { kind: 'unknown', failure: `erreur ${status}${inBrackets(code)}`, retryAfterSeconds };
  const about = aboutOf(code, codes) ?? (ofAccount.includes(status) ? 'account' : undefined);
  return { kind: 'refused', failure: `refus ${status}${inBrackets(code)}`, ...(about && { about }) };
}

/** A gateway's own names for refusals of a number, and of an account: others are of a message, or not known. */
export interface KnownCodes {
  number: RegExp;
  account?: RegExp;
}

function aboutOf(code: unknown, codes: KnownCodes | undefined): NotSent['about'] {
  const name = String(code ?? '');
  if (codes?.number.test(name)) return 'number';
  return codes?.account?.test(name) ? 'account' : undefined;
}

/** A refusal in words, whatever the status it came under. */
export function refusal(code: unknown, codes?: KnownCodes): NotSent {
  const about = aboutOf(code, codes);
  return { kind: 'refused', failure: `refus${inBrackets(code)}`, ...(about && { about }) };
}

/**
 * A gateway's own name for something, such as SVC0004 or 21211, in brackets. What is longer, or has more digits, could be a
 * number or a text, and is left out.
 */
export function inBrackets(code: unknown): string {
  const name = String(code ?? '');
  return /^(?=.{1,60}$)[A-Za-z_]*\d{0,5}$/.test(name) ? ` (${name})` : '';
}

/** What a gateway calls a message, if it may be kept. */
export function gatewayIdFrom(id: unknown): string | null {
  if (typeof id !== 'string' || id === '' || id.length > smsLimits.gatewayIdCharacters) return null;
  return /^[\x21-\x7e]+$/.test(id) ? id : null;
}
