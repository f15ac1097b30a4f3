import type * as z from 'zod/mini';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { FailureBody, FailureCode } from '#contract/failure.ts';
import { localStore } from '#web/store.ts';
import { type Answer, keep, readKept } from './kept-answers.ts';
import { answersKept, requestTimeoutMs } from './limits.ts';

/** A refusal of the API. Its message is the status, a colon, then the body's text (P21.3). */
export class ApiError extends Error {
  readonly status: number;
  readonly failure: Partial<FailureBody>;

  constructor(status: number, bodyText: string, statusText: string) {
    super(`${status}: ${bodyText || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.failure = parseFailure(bodyText);
  }
}

export function hasCode(error: unknown, code: FailureCode): error is ApiError {
  return error instanceof ApiError && error.failure.code === code;
}

/** No answer arrived: no network, or a timeout. Whether the server acted is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The failure in a response body. An intermediary's body may be anything. */
function parseFailure(text: string): Partial<FailureBody> {
  try {
    const body = JSON.parse(text) as Partial<FailureBody> | null;
    return typeof (body?.message ?? '') === 'string' ? { ...body } : {};
  } catch {
    return {};
  }
}

type Part<S extends z.ZodMiniType, Name extends string> =
  null extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : keyof z.input<S> extends never
      ? { [N in Name]?: undefined }
      : Record<never, never> extends z.input<S>
        ? { [N in Name]?: z.input<S> }
        : { [N in Name]: z.input<S> };

interface Extras {
  idempotencyKey?: string;
  file?: File;
  /** Lets the request outlive its page. */
  keepalive?: boolean;
  /** Stores the answer in this browser, for the person's next visit and for a lost connection. */
  keep?: boolean | undefined;
}

/** An input whose endpoint is not known. */
interface Given extends Extras {
  body?: object;
}

export type InputOf<E extends Endpoint> = Part<E['params'], 'params'> &
  Part<E['query'], 'query'> &
  Part<E['body'], 'body'> &
  Extras;

/** The session's hooks into calls: the person signed in now, and a callback for an ended session. */
export interface RequestOptions {
  /** The last answers of this page by person and address, the newest last. */
  answers: Map<string, Answer<unknown>>;
  currentUserId: () => number | undefined;
  onSignedOut: () => void;
}

/** The path and query that an endpoint is called at. */
export function addressOf(endpoint: Endpoint, input: object): string {
  const { params, query } = input as Record<'params' | 'query', Record<string, unknown> | undefined>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  return path + queryText(query);
}

/**
 * Calls an endpoint of the contract. A read sends the ETag of the person's last answer; where the server confirms it,
 * it is that very answer. Throws `ApiError` for a refusal, `NoAnswer` without an answer.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { answers, currentUserId, onSignedOut }: RequestOptions,
): Promise<Answer<ResponseOf<E>>> {
  const given = input as Given;
  const { body, idempotencyKey, keep: isKept } = given;
  const address = addressOf(endpoint, input);
  const userId = currentUserId();
  const isRead = endpoint.method === 'GET';
  const key = `${userId} ${address}`;
  const known = isRead ? (answers.get(key) ?? readKept(userId, address)) : undefined;
  const payload = endpoint.upload ? undefined : body && JSON.stringify(body);
  const headers: Record<string, string> = {
    ...(payload && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(endpoint.path.includes('/admin/') && userId && { 'x-user-id': String(userId) }),
  };
  // Before `try`: what this browser lacks is thrown as it is, since it is no fault of the network.
  const asked = (isRead && takePreloadedResponse(address)) || send(endpoint, given, { address, headers, payload });
  let response: Response;
  let text: string;
  let data: ResponseOf<E> | undefined;
  try {
    response = await asked;
    text = await response.text();
    // A body that is not JSON comes from an intermediary, such as a captive portal.
    data = response.ok ? JSON.parse(text) : undefined;
  } catch (cause) {
    reportConnectivity('lost');
    throw new NoAnswer('no answer', { cause });
  }
  const { headers: told } = response;
  const answer = response.ok
    ? {
        data: data as ResponseOf<E>,
        etag: told.get('etag') ?? undefined,
        total: Number(told.get('x-total-count') ?? 0),
        isCapped: told.has('x-total-count-capped'),
      }
    : response.status === 304 && (known as Answer<ResponseOf<E>> | undefined);
  if (answer) {
    reportConnectivity('answered');
    // An earlier person's answer is not kept as theirs who signed in since.
    if (!isRead || userId !== currentUserId()) return answer;
    answers.delete(key);
    for (const oldest of answers.keys()) if (answers.size >= answersKept) answers.delete(oldest);
    answers.set(key, answer);
    if (isKept && userId !== undefined) keep(userId, address, answer);
    return answer;
  }
  const error = new ApiError(response.status, text, response.statusText);
  const { status } = response;
  // A refusal without a code comes from an intermediary, which may say that the server is down.
  const isRefused = error.failure.code !== undefined;
  const isDown = status === 500 || (!isRefused && status >= 502 && status <= 504);
  reportConnectivity(isDown ? 'down' : isRefused ? 'answered' : 'lost');
  if (status === 401 && error.failure.code === 'NOT_SIGNED_IN') onSignedOut();
  throw error;
}

function send(
  { upload, ...endpoint }: Endpoint,
  { body, file, keepalive }: Given,
  { address, headers, payload }: { address: string; headers: Record<string, string>; payload: string | undefined },
): Promise<Response> {
  if (upload)
    return import('./send-upload.ts').then(({ sendUpload }) =>
      sendUpload({ ...endpoint, upload }, { address, headers, body, file }),
    );
  return fetch(address, {
    method: endpoint.method,
    credentials: 'include',
    headers,
    signal: AbortSignal.timeout(requestTimeoutMs),
    ...(payload && { body: payload }),
    ...(keepalive && { keepalive }),
  });
}

/** A query string with its question mark; empty values are omitted. */
export function queryText(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}

/** An idempotency key: 128 random bits in hexadecimal. `crypto.randomUUID` exists on secure pages only. */
export function makeKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The window property with the responses that `web/build/first-document.ts` requested, by path. */
export const preloadedResponsesName = 'guichetEarly';

/** A response requested before the app loaded; each is taken once, and only while it is recent. */
export function takePreloadedResponse(path: string): Promise<Response> | undefined {
  const early = (globalThis as { [preloadedResponsesName]?: Record<string, Promise<Response>> })[
    preloadedResponsesName
  ];
  const answer = early?.[path];
  if (answer) delete early[path];
  return performance.now() < requestTimeoutMs ? answer : undefined;
}

const lastAnswerKey = 'guichet_line';

/** What became of a call: the server answered, nobody did, or the server fails or is down. */
export type Connectivity = 'answered' | 'lost' | 'down';

/** A window event for each call; its detail is a `Connectivity`. */
export const connectivityEvent = 'guichet:line';

/** Announces what became of a call. The time of the last answer is stored for pages opened offline. */
function reportConnectivity(detail: Connectivity): void {
  if (detail === 'answered') localStore.tryToKeep(lastAnswerKey, String(Date.now()));
  dispatchEvent(new CustomEvent(connectivityEvent, { detail }));
}

/** Milliseconds of the server's last answer; 0 if there was none. */
export const readLastAnswer = () => Number(localStore.read(lastAnswerKey));
