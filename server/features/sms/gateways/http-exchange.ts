import { smsLimits } from '#server/features/sms/limits.ts';
import type { NotSent } from '#server/features/sms/sms-route.ts';

/** A gateway's answer. */
export interface Answer {
  kind: 'answered';
  status: number;
  /** The body; empty if it is incomplete or too long. */
  text: string;
  /** The body as JSON; undefined if it is none. */
  json: unknown;
  /** The wait that it asks for, `smsLimits.retryAfterAtMostSeconds` at most. */
  retryAfterSeconds: number | undefined;
}

export interface GatewayRequest {
  url: string;
  method: string;
  headers: HeadersInit;
  body?: string | undefined;
}

/**
 * Calls a gateway once, without redirects. Never throws; the result contains neither the address nor sent data. It is `unreachable` if no
 * byte of the message was sent: no name, no connection, or an untrusted certificate.
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
  const text = await readText(response).catch(() => '');
  return { kind: 'answered', status: response.status, text, json: parse(text), retryAfterSeconds };
}

/** The innermost error. A name with several addresses has one error for each; the first counts. */
function causeOf(error: unknown): { code: string; syscall: string | undefined } {
  const { cause, errors, code, syscall } = error as Record<'cause' | 'code' | 'syscall', unknown> & {
    errors?: unknown[];
  };
  if (cause ?? errors?.[0]) return causeOf(cause ?? errors?.[0]);
  return { code: String(code ?? ''), syscall: typeof syscall === 'string' ? syscall : undefined };
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > smsLimits.answerBytes) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads seconds or an HTTP date (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), smsLimits.retryAfterAtMostSeconds);
}

/** Statuses about the account, not the message: keys, credit, a wrong address. */
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

/** A gateway's code, such as SVC0004, in brackets; empty for one that may be a phone number or a text. */
export function inBrackets(code: unknown): string {
  const name = String(code ?? '');
  return /^(?=.{1,60}$)[A-Za-z_]*\d{0,5}$/.test(name) ? ` (${name})` : '';
}

/** Names of fields in which gateways explain an error. */
const wordy =
  /^(?:message|msg|errors?|reason|description|details?|title|text|error[-_]?(?:message|text|description))$/i;
/** Characters shown of a gateway's words, so that they fit into a line of the panel. */
const wordsAtMost = 50;
/** A common piece of at least this many characters is an echo, not chance. */
const echoCharacters = 12;

/**
 * A failure with the gateway's own words in guillemets, for operators. Numbers and possible keys are removed, and the whole is left out
 * if it echoes the sent text. `fallback` is shown for an answer without words.
 */
export function withOwnWords(failure: string, { json, text }: Answer, sent: string, fallback?: unknown): string {
  const plain = /^\s*</.test(text) ? undefined : text;
  const said = json === undefined ? plain : (findWords(json) ?? fallback);
  if (typeof said !== 'string' || repeats(said, sent)) return failure;
  const words = said
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/(?:\+|00)?\d(?:[ .()-]?\d){3,}/g, '…')
    .replace(/[\w+]*…\w*|(?=\S*\d)\S{12,}|\S{32,}/g, '…')
    .trim();
  if (words === '') return failure;
  return `${failure} : « ${words.length > wordsAtMost ? `${words.slice(0, wordsAtMost)}…` : words} »`;
}

/** The first text in a field for words. */
function findWords(value: unknown, name = ''): string | undefined {
  if (typeof value === 'string') return wordy.test(name) && value.trim() ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = findWords(inner, Array.isArray(value) ? name : key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function repeats(said: string, sent: string): boolean {
  for (let from = 0; from + echoCharacters <= sent.length; from += 1)
    if (said.includes(sent.slice(from, from + echoCharacters))) return true;
  return false;
}
