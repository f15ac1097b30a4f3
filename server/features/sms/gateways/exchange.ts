import type { Agent, fetch, Response } from 'undici';
import type { NotSent } from '#server/features/sms/sms-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';

/** Statuses of a refused caller, whatever the message: keys, credit, a wrong address. */
const ofAccount = [401, 402, 403, 404, 405, 407];

/** What an answer's status means; undefined for 2xx. `code` is the gateway's name for it, `codes` are known ones. */
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

/** A gateway's name for something, such as SVC0004, in brackets; left out where it could be a number or a text. */
export function inBrackets(code: unknown): string {
  const name = String(code ?? '');
  return /^(?=.{1,60}$)[A-Za-z_]*\d{0,5}$/.test(name) ? ` (${name})` : '';
}

/** What a gateway calls a message, if it may be kept. */
export function gatewayIdFrom(id: unknown): string | null {
  if (typeof id !== 'string' || id === '' || id.length > smsLimits.gatewayIdCharacters) return null;
  return /^[\x21-\x7e]+$/.test(id) ? id : null;
}

/** A GET, or with a body a POST. */
interface GatewayRequest {
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** What a gateway answered, as far as it can be read: its status is known, its body may not be. */
export interface Answer {
  kind: 'answered';
  status: number;
  /** The body as JSON; undefined where it did not come whole, is too long, or is none. */
  json: unknown;
  /** Why there is no body. */
  failure: string;
  /** What it asks to wait, `smsLimits.retryAfterAtMostSeconds` at most. */
  retryAfterSeconds: number | undefined;
}

/** Calls a gateway once, without redirects. Never throws; its answer has no address and nothing of what was sent. */
export type Exchange = (request: GatewayRequest, signal: AbortSignal) => Promise<Answer | NotSent>;

/** What calls go through: undici itself, since the `fetch` of Node that is made of it does not let a connection be limited. */
interface Line {
  fetch: typeof fetch;
  dispatcher: Agent;
}

/** Keeps a gateway's connections, each of them made within `smsLimits.connectMs`. */
export function openExchange(): Exchange {
  // Loaded for a gateway alone: it takes 24 MB of memory.
  const opening = import('undici').then(({ Agent, fetch }) => ({
    fetch,
    dispatcher: new Agent({ connect: { timeout: smsLimits.connectMs } }),
  }));
  return async (request, signal) => exchange(await opening, request, signal);
}

async function exchange(
  { fetch, dispatcher }: Line,
  { url, headers, body }: GatewayRequest,
  signal: AbortSignal,
): Promise<Answer | NotSent> {
  let response: Response;
  try {
    const method = body === undefined ? 'GET' : 'POST';
    response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal, dispatcher });
  } catch (error) {
    return wasNeverSent(error)
      ? { kind: 'unreachable', failure: `injoignable${inBrackets(codeOf(error))}` }
      : { kind: 'unknown', failure: wordsOf(error) };
  }
  const { status } = response;
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'));
  try {
    const text = await readBounded(response);
    return { kind: 'answered', status, json: JSON.parse(text), failure: 'réponse illisible', retryAfterSeconds };
  } catch (error) {
    const failure = signal.aborted ? wordsOf(error) : 'réponse illisible';
    return { kind: 'answered', status, json: undefined, failure, retryAfterSeconds };
  }
}

/** Seconds, or an instant in HTTP's words (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), smsLimits.retryAfterAtMostSeconds);
}

async function readBounded(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > smsLimits.answerBytes) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** An error and what it is made of: of a name with several addresses there is one for each. */
function* partsOf(error: unknown): Generator<Error & { code?: unknown; syscall?: unknown }> {
  if (!(error instanceof Error)) return;
  yield error;
  yield* partsOf(error.cause);
  if (error instanceof AggregateError) for (const each of error.errors) yield* partsOf(each);
}

const codeOf = (error: unknown) => [...partsOf(error)].find(({ code }) => typeof code === 'string')?.code;

/** Whether no byte of the message left: there was no name, no connection, or no trust in who answered. */
function wasNeverSent(error: unknown): boolean {
  return [...partsOf(error)].some(
    ({ code, syscall }) =>
      syscall === 'connect' ||
      syscall === 'getaddrinfo' ||
      /^ECONNREFUSED$|^UND_ERR_CONNECT_TIMEOUT$|CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO_VERIFY/.test(String(code ?? '')),
  );
}

function wordsOf(error: unknown): string {
  const isTimeout = [...partsOf(error)].some(({ name }) => name === 'TimeoutError');
  return isTimeout ? 'pas de réponse à temps' : 'connexion interrompue';
}
