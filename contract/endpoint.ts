import * as z from 'zod/mini';

/** Who may call an endpoint. The server refuses everybody else: 401 signed out, 403 otherwise. */
export type Caller =
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

type Schema = z.ZodMiniType;

export interface Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
  C extends Caller = Caller,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters, as the specification's table of calls writes `{name}`. */
  path: string;
  caller: C;
  summary: string;
  params: P;
  query: Q;
  body: B;
  response: R;
  /** Status of the good answer; 200 unless told. */
  status?: number;
  upload?: Upload;
  /** Header a client may send to make a repeated call answer the first one's result. */
  idempotent?: boolean;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/**
 * Declares a call of the API once, as data: the server registers it, the browser calls it, both are typed from it,
 * and the OpenAPI document lists it. A part left out takes nothing.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  R extends Schema,
  const C extends Caller,
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
>(
  spec: Omit<Endpoint<P, Q, B, R, C>, 'params' | 'query' | 'body'> & { params?: P; query?: Q; body?: B },
): Endpoint<P, Q, B, R, C> {
  return {
    ...spec,
    params: spec.params ?? (nothing as unknown as P),
    query: spec.query ?? (nothing as unknown as Q),
    body: spec.body ?? (nothing as unknown as B),
  };
}

export type ResponseOf<E extends Endpoint> = z.output<E['response']>;

/** A whole number as it stands in a path or query: digits only. */
/* @__NO_SIDE_EFFECTS__ */
export function digits(from: number, to: number, message: string) {
  const bounded = z.number().check(z.gte(from, message), z.lte(to, message));
  return z.pipe(z.string(message).check(z.regex(/^\d{1,15}$/, message)), z.pipe(z.transform(Number), bounded));
}

/** A row id in a path or query: a positive 32-bit integer. */
export const idInPath = digits(1, 2147483647, 'Identifiant invalide.');
export const idParams = z.object({ id: idInPath });
export const id = z.int().check(z.gte(1), z.lte(2147483647));

/** Text a person typed: trimmed, without the NUL character that PostgreSQL refuses. */
/* @__NO_SIDE_EFFECTS__ */
export function text(max: number, message = 'Ce champ est requis.') {
  return z.string().check(
    z.trim(),
    z.minLength(1, message),
    z.maxLength(max, `Ce champ est limité à ${max} caractères.`),
    z.refine((value) => !value.includes('\0') && value.isWellFormed(), 'Caractère interdit.'),
  );
}

/** An instant, as ISO 8601 in UTC. */
export const instant = z.string();

/** Lists answer an array, newest first, with its full length in X-Total-Count. */
export const listQuery = {
  /** Rows at most. */
  limit: z.prefault(digits(1, 1000, 'De 1 à 1000 lignes.'), '100'),
  /** Id of the last row seen: the answer starts after it. */
  before: z.optional(idInPath),
};
export const searchQuery = z.optional(
  z.string().check(
    z.trim(),
    z.maxLength(100),
    z.refine((value) => !value.includes('\0'), 'Caractère interdit.'),
  ),
);
