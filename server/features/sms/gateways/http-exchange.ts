import type { NotSent } from '#server/features/sms/sms-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';

/** What a gateway answered, as far as it can be read. */
export interface Answer {
  kind: 'answered';
  status: number;
  /** The body as JSON; undefined where it did not come whole, is too long, or is none. */
  json: unknown;
  /** What it asks to wait, `smsLimits.retryAfterAtMostSeconds` at most. */
  retryAfterSeconds: number | undefined;
}

export interface GatewayRequest {
  url: string;
  method: string;
  headers: HeadersInit;
  body?: string | undefined;
}

/**
 * Calls a gateway once, without redirects. Never throws; its answer has no address and nothing of what was sent. Where no byte
 * of the message left, for want of a name, a connection or trust in who answered, it is `unreachable`.
 */
export async function exchange(request: GatewayRequest, signal: AbortSignal): Promise<Answer | NotSent> {
  const { url, method, headers, body } = request;
  let response: Response;
  try {
    response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal });
  } catch (error) {
    const { code, syscall } = causeOf(error);
    if (syscall === 'connect' || syscall === 'getaddrinfo' || /CERT|TLS|SSL|CONNECT_TIMEOUT/.test(code))
      return { kind: 'unreachable', failure: `injoignable${inBrackets(code)}` };
    return { kind: 'unknown', failure: signal.aborted ? 'pas de réponse à temps' : 'connexion interrompue' };
  }
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'));
  const json = await readJson(response).catch(() => undefined);
  return { kind: 'answered', status: response.status, json, retryAfterSeconds };
}

/** The innermost error: of a name with several addresses there is one for each, of which the first is taken. */
function causeOf(error: unknown): { code: string; syscall: string | undefined } {
  const { cause, errors, code, syscall } = error as Record<'cause' | 'code' | 'syscall', unknown> & {
    errors?: unknown[];
  };
  if (cause ?? errors?.[0]) return causeOf(cause ?? errors?.[0]);
  return { code: String(code ?? ''), syscall: typeof syscall === 'string' ? syscall : undefined };
}

async function readJson(response: Response): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > smsLimits.answerBytes) throw new Error('too long');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

/** Seconds, or an instant in HTTP's words (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), smsLimits.retryAfterAtMostSeconds);
}

/** Statuses of a refused caller, whatever the message: keys, credit, a wrong address. */
const ofAccount = [401, 402, 403, 404, 405, 407];

/** What an answer's status means; undefined for 2xx. `code` is the gateway's name for it. */
export function failureByStatus({ status, retryAfterSeconds }: Answer, code?: unknown): NotSent | undefined {
  if (status >= 200 && status < 300) return undefined;
  const words = `${status}${inBrackets(code)}`;
  if (status >= 300 && status < 400)
    return { kind: 'refused', failure: `redirection ${status}, non suivie`, about: 'account' };
  if (status === 429)
    return { kind: 'unknown', failure: `trop de messages (${status})`, retryAfterSeconds, isThrottled: true };
  if (status >= 500 || status === 408) return { kind: 'unknown', failure: `erreur ${words}`, retryAfterSeconds };
  return { kind: 'refused', failure: `refus ${words}`, about: ofAccount.includes(status) ? 'account' : undefined };
}

/** A gateway's name for something, such as SVC0004, in brackets; left out where it could be a number or a text. */
export function inBrackets(code: unknown): string {
  const name = String(code ?? '');
  return /^(?=.{1,60}$)[A-Za-z_]*\d{0,5}$/.test(name) ? ` (${name})` : '';
}
