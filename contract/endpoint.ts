import * as z from 'zod/mini';
import type { AuditField, AuditObject } from './audit-words.ts';
import type { FailureCode } from './failure.ts';
import type { Topic } from './topics.ts';

/** Who may call an endpoint. Other callers are refused: 401 signed out, 403 otherwise. */
export type Access =
  | 'anyone'
  /** Guests included. */
  | 'signed-in'
  /** A verified person. Guests and unverified numbers are refused. */
  | 'verified'
  | 'admin';

/**
 * A multipart body with one optional or required file, by default an image. With a `body`, its JSON is in `dataField`; otherwise its
 * fields are sent by their names.
 */
export interface Upload {
  fileField: string;
  dataField?: string;
  required?: boolean;
  kind?: 'image' | 'statement';
}

/** Makes an endpoint audited: an administrator's successful calls are recorded, and every caller's audited writes. */
export interface Audit<Field extends string = string> {
  /** The action, in French, as the log shows it. */
  title: string;
  /** The kind of the affected row. Its id is the path's first parameter, or the write notes it. */
  about?: AuditObject;
  /** The body fields recorded; never a password, a code, a token or a phone number. */
  fields: readonly (Field & AuditField)[];
}

type Schema = z.ZodMiniType;

export interface Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
  A extends Access = Access,
> {
  /** The name of the endpoint's export, and its `operationId` in the OpenAPI document. */
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
  /** Status of a successful answer; 200 by default. */
  status?: number;
  upload?: Upload;
  /** The client may send `Idempotency-Key`; a repeated call then gets the first one's result. */
  idempotent?: boolean;
  /** The answer is a list; `X-Total-Count` has its full length. */
  counted?: boolean;
  /** The answer is a streamed file of this media type. If it is counted, `X-Total-Count` has its number of rows. */
  download?: { type: string };
  /** Maximum bytes of a JSON body, above the default. */
  bodyBytes?: number;
  /** Open to anyone, but it uses the caller's session, if there is one. */
  looksAtSession?: boolean;
  /** Called by machines that a secret in the path authorises: exempt from the cross-site check. */
  fromMachines?: true;
  /** The answer sets or clears a cookie. */
  setsCookie?: boolean;
  /** Failures of its handler; `failuresOf` adds those that follow from the endpoint. */
  failures: readonly FailureCode[];
  /** Topics that a GET answer depends on, besides the caller's own rights. */
  topics?: readonly Topic[];
  /** The answer also depends on the time: a kept one is a minute old at most. */
  dependsOnTime?: true;
  audit?: Audit;
}

/** Most characters of a key, all visible; other APIs accept as many. */
export const idempotencyKeyLength = 255;
export const idempotencyKeyForm = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyLength}}$`);

const nothing = z.object({});
type Nothing = typeof nothing;

/**
 * Declares a call of the API once, as data, for the server's routes, the browser's calls and the OpenAPI document. Both sides take their
 * types from it. An omitted part accepts nothing. The web build drops the parts that the browser does not read.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  R extends Schema,
  const A extends Access,
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
>(
  operation: string,
  method: Endpoint['method'],
  path: string,
  spec: Omit<
    Endpoint<P, Q, B, R, A>,
    'operation' | 'method' | 'path' | 'params' | 'query' | 'body' | 'failures' | 'audit'
  > & {
    params?: P;
    query?: Q;
    body?: B;
    failures?: readonly FailureCode[];
    audit?: Audit<keyof z.output<B> & string>;
  },
): Endpoint<P, Q, B, R, A> {
  return {
    failures: [],
    ...spec,
    operation,
    method,
    path,
    params: spec.params ?? (nothing as unknown as P),
    query: spec.query ?? (nothing as unknown as Q),
    body: spec.body ?? (nothing as unknown as B),
  };
}

export type ResponseOf<E extends Endpoint> = z.output<E['response']>;

/** Whether a part of an endpoint has fields. */
export function takesSomething(schema: Schema): boolean {
  return !('shape' in schema) || Object.keys(schema.shape as object).length > 0;
}

/** Whether an answer has an ETag: its topics say when it changes. */
export function hasETag({ topics = [], download }: Endpoint): boolean {
  return topics.length > 0 && !download;
}

const accessFailures: Record<Access, readonly FailureCode[]> = {
  anyone: [],
  'signed-in': ['NOT_SIGNED_IN'],
  verified: ['NOT_SIGNED_IN', 'GUEST', 'PHONE_NOT_VERIFIED'],
  admin: ['NOT_SIGNED_IN', 'FORBIDDEN'],
};

/** Every failure a call can answer: its own, and those that follow from its access and its input. */
export function failuresOf(endpoint: Endpoint): FailureCode[] {
  const { params, query, upload } = endpoint;
  const writes = endpoint.method !== 'GET';
  return [
    ...new Set<FailureCode>([
      ...(writes || takesSomething(params) || takesSomething(query) ? (['INVALID'] as const) : []),
      ...(endpoint.fromMachines ? [] : (['CROSS_SITE'] as const)),
      ...(writes ? (['MEDIA_TYPE', 'TOO_LARGE', 'TOO_SLOW'] as const) : []),
      ...(upload ? (['UPLOAD_MALFORMED', 'FILE_EMPTY', 'FILE_TOO_LARGE'] as const) : []),
      ...(upload && upload.kind !== 'statement' ? (['IMAGE_TYPE', 'IMAGE_UNREADABLE'] as const) : []),
      ...(upload?.required ? (['FILE_MISSING'] as const) : []),
      ...accessFailures[endpoint.access],
      ...endpoint.failures,
      'TOO_MANY',
      'INTERNAL',
      'BUSY',
    ]),
  ];
}
