import type { NotSent } from '#server/features/sms/gateway.ts';
import { smsLimits } from '#server/process/sms-limits.ts';

/**
 * What an answer means that is no success, by its status alone; undefined for 2xx. `code` is the gateway's own name for what is
 * wrong.
 */
export function failureByStatus(status: number, code: unknown): NotSent | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return { kind: 'refused', failure: `redirection ${status}, non suivie` };
  if (status === 429) return { kind: 'unreachable', failure: 'trop de messages (429)' };
  if (status >= 500 || status === 408) return { kind: 'unknown', failure: `erreur ${status}${inBrackets(code)}` };
  return { kind: 'refused', failure: `refus ${status}${inBrackets(code)}` };
}

/** A refusal in words, whatever the status it came under. */
export function refusal(code: unknown): NotSent {
  return { kind: 'refused', failure: `refus${inBrackets(code)}` };
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
