import * as z from 'zod/mini';
import type { FailureCode } from './failure.ts';
import type { Topic } from './topics.ts';

/** Who may call an endpoint. The server refuses everybody else: 401 signed out, 403 otherwise. */
export type Access =
  | 'anyone'
  /** Guests included. */
  | 'signed-in'
  /** A verified person; guests and numbers never verified are refused. */
  | 'verified'
  | 'admin';

/** A multipart body: one optional or required image, and, where the endpoint has a `body`, its JSON in `dataField`. */
export interface Upload {
  fileField: string;
  dataField?: string;
  required?: boolean;
}

/** That calls of an endpoint are recorded in the audit log, and what of them. */
export interface Audit<Field extends string = string> {
  /** What was done, in French, as the log is read. */
  title: string;
  /** The fields of the body that are kept of an administrator's call; never a password, a code, a token or a phone number. */
  fields: readonly Field[];
  /** The field of the body with the caller's own number, which is kept masked. */
  number?: Field;
  /** Of a read: only what belongs to somebody else, the path's `userId`, is recorded. */
  ofOthers?: true;
}

type Schema = z.ZodMiniType;

export interface Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
  A extends Access = Access,
> {
  /** The name of its export, and of the call in the OpenAPI document (`operationId`). */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path, with `:name` for a parameter. */
  path: string;
  access: A;
  summary: string;
  params: P;
  query: Q;
  body: B;
  response: R;
  /** Status of the good answer; 200 unless told. */
  status?: number;
  upload?: Upload;
  /** The client may send `Idempotency-Key`, which makes a repeated call answer the first one's result. */
  idempotent?: boolean;
  /** The answer is a list whose full length stands in `X-Total-Count`. */
  counted?: boolean;
  /**
   * The answer is a file and no JSON, of this media type, sent as it is made; `X-Total-Count`, where it is counted, is its
   * number of rows.
   */
  download?: { type: string };
  /** Bytes that a JSON body may have, where it is more than usual. */
  bodyBytes?: number;
  /** Open to anyone, and yet what it does depends on the caller's session, if there is one. */
  looksAtSession?: boolean;
  /**
   * Called by other companies' machines, which carry no one's cookies: whatever site they say they come from. What lets them in
   * is in the path.
   */
  fromMachines?: true;
  /** Gives rights: only for callers who gave their password within the hour, at a sign-in or again. */
  asksPassword?: true;
  /** The answer sets or clears a cookie. */
  setsCookie?: boolean;
  /** What its handler refuses; what every such call may be refused for is added by `failuresOf`. */
  failures: readonly FailureCode[];
  /** What the answer to a GET depends on, besides the caller's own rights. */
  topics?: readonly Topic[];
  /** The answer also depends on what time it is, so that nobody can keep it. */
  dependsOnTime?: true;
  audit?: Audit;
}

/** Visible characters; as many as other APIs take at most. */
export const idempotencyKeyLength = 255;
export const idempotencyKeyForm = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyLength}}$`);

const nothing = z.object({});
type Nothing = typeof nothing;

/**
 * Declares a call of the API once, as data: the server registers it, the browser calls it, both are typed from it, and the
 * OpenAPI document lists it. A part left out takes nothing. The web app's build leaves out what a phone has no use for.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  R extends Schema,
  const A extends Access,
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
>(
  spec: Omit<Endpoint<P, Q, B, R, A>, 'params' | 'query' | 'body' | 'audit'> & {
    params?: P;
    query?: Q;
    body?: B;
    audit?: Audit<keyof z.output<B> & string>;
  },
): Endpoint<P, Q, B, R, A> {
  return {
    ...spec,
    params: spec.params ?? (nothing as unknown as P),
    query: spec.query ?? (nothing as unknown as Q),
    body: spec.body ?? (nothing as unknown as B),
  };
}

export type ResponseOf<E extends Endpoint> = z.output<E['response']>;

/** Whether a part of an endpoint takes anything at all. */
export function takesSomething(schema: Schema): boolean {
  return !('shape' in schema) || Object.keys(schema.shape as object).length > 0;
}

/** Whether the answer to a call has an ETag: a read's, of something that changes only when somebody changes it. */
export function hasETag({ topics = [], download, dependsOnTime }: Endpoint): boolean {
  return topics.length > 0 && !download && !dependsOnTime;
}

const accessFailures: Record<Access, readonly FailureCode[]> = {
  anyone: [],
  'signed-in': ['NOT_SIGNED_IN'],
  verified: ['NOT_SIGNED_IN', 'GUEST', 'PHONE_NOT_VERIFIED'],
  admin: ['NOT_SIGNED_IN', 'FORBIDDEN'],
};

/** Every failure a call can answer: its own, and those that follow from who may call and from what it takes. */
export function failuresOf(endpoint: Endpoint): FailureCode[] {
  const { params, query, upload } = endpoint;
  const writes = endpoint.method !== 'GET';
  return [
    ...new Set<FailureCode>([
      ...(writes || takesSomething(params) || takesSomething(query) ? (['INVALID'] as const) : []),
      ...(writes && !endpoint.fromMachines ? (['CROSS_SITE'] as const) : []),
      ...(writes ? (['MEDIA_TYPE', 'TOO_LARGE', 'TOO_SLOW'] as const) : []),
      ...(upload ? (['UPLOAD_MALFORMED', 'IMAGE_TYPE', 'IMAGE_UNREADABLE', 'FILE_TOO_LARGE'] as const) : []),
      ...(upload?.required ? (['FILE_MISSING'] as const) : []),
      ...accessFailures[endpoint.access],
      ...(endpoint.asksPassword ? (['PASSWORD_NEEDED'] as const) : []),
      ...endpoint.failures,
      'TOO_MANY',
      'INTERNAL',
      'BUSY',
    ]),
  ];
}
