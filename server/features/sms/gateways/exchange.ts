import type { Agent, fetch, Response } from 'undici';
import type { NotSent } from '#server/features/sms/gateway.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { inBrackets } from './reading.ts';

interface GatewayRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
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

/**
 * Calls a gateway once, and follows no redirection. Ends when the signal says so, whatever drips in. Never throws, and what it
 * answers names neither the address nor anything that was sent.
 */
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
  { url, method, headers, body }: GatewayRequest,
  signal: AbortSignal,
): Promise<Answer | NotSent> {
  let response: Response;
  try {
    const init = { method, headers, redirect: 'manual', signal, dispatcher } as const;
    response = await fetch(url, { ...init, ...(body !== undefined && { body }) });
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
