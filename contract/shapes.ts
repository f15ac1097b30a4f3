import * as z from 'zod/mini';

/** What the OpenAPI document says of a schema beyond its checks. A schema with an `id` is a named component of it. */
interface Documentation {
  id?: string;
  description?: string;
  format?: string;
  /** What a caller sends, in JSON Schema, where a transformation hides it. */
  input?: Record<string, unknown>;
}

export const documentation = z.registry<Documentation>();

/* @__NO_SIDE_EFFECTS__ */
export function documented<S extends z.ZodMiniType>(schema: S, words: Documentation): S {
  documentation.add(schema, words);
  return schema;
}

/** A shape that the OpenAPI document names, so that it stands there once. */
/* @__NO_SIDE_EFFECTS__ */
export function component<S extends z.ZodMiniType>(id: string, schema: S): S {
  return documented(schema, { id });
}

/** A whole number as it stands in a path or query: digits only. */
/* @__NO_SIDE_EFFECTS__ */
export function digits(from: number, to: number, message: string) {
  const bounded = z.number().check(z.gte(from, message), z.lte(to, message));
  return documented(
    z.pipe(z.string(message).check(z.regex(/^\d{1,15}$/, message)), z.pipe(z.transform(Number), bounded)),
    { input: { type: 'integer', minimum: from, maximum: to } },
  );
}

/** A row id in a path or query: a positive 32-bit integer. */
export const idInPath = digits(1, 2147483647, 'Identifiant invalide.');
export const idParams = z.object({ id: idInPath });
export const id = z.int().check(z.gte(1), z.lte(2147483647));

/** An answer that only says that it is done, in French. */
export const done = component('Done', z.object({ message: z.string() }));

/** The answer to a deletion: what is gone. */
export const deleted = component('Deleted', z.object({ id }));

/** A count of things, or a number of CFA francs; whole and never negative. */
export const count = z.int().check(z.gte(0));

/** Well-formed Unicode without the NUL character: what PostgreSQL keeps as it is. */
export const storable = z.refine<string>(
  (value) => !value.includes('\0') && value.isWellFormed(),
  'Caractère interdit.',
);

/** Text a person typed: trimmed, and of characters that can be kept. */
/* @__NO_SIDE_EFFECTS__ */
export function text(max: number, message = 'Ce champ est requis.') {
  return z
    .string()
    .check(z.trim(), z.minLength(1, message), z.maxLength(max, `Ce champ est limité à ${max} caractères.`), storable);
}

/** An instant, as ISO 8601 in UTC. */
export const instant = documented(z.string(), { format: 'date-time' });

/** An IANA time zone, such as the one a browser runs in. */
export const timeZone = documented(
  z.string().check(
    z.maxLength(60),
    z.refine((name) => {
      try {
        return Boolean(new Intl.DateTimeFormat('fr', { timeZone: name }));
      } catch {
        return false;
      }
    }, 'Ce fuseau horaire est inconnu.'),
  ),
  { description: 'An IANA time zone, such as Africa/Ouagadougou.' },
);

/** Lists are counted exactly up to so many rows; beyond, `X-Total-Count-Capped` says that there are more. */
export const countedUpTo = 10_000;

/** Lists answer an array, newest first, with its full length in X-Total-Count. */
export const listQuery = {
  limit: documented(z.prefault(digits(1, 1000, 'De 1 à 1000 lignes.'), '100'), {
    input: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    description: 'Rows at most.',
  }),
  before: documented(z.optional(idInPath), { description: 'Id of the last row seen: the answer starts after it.' }),
};
export const searchLength = 100;
export const searchQuery = documented(z.optional(z.string().check(z.trim(), z.maxLength(searchLength), storable)), {
  description: 'Text to look for, whatever its case.',
});
