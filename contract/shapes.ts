import * as z from 'zod/mini';

/** OpenAPI documentation of a schema beyond its checks. A schema with an `id` is a named component. */
interface Documentation {
  id?: string;
  description?: string;
  format?: string;
  /** The input in JSON Schema, where a transformation hides it. */
  input?: Record<string, unknown>;
}

export const documentation = z.registry<Documentation>();

/** A documented copy of the schema, since others may share the original. */
/* @__NO_SIDE_EFFECTS__ */
export function documented<S extends z.ZodMiniType>(schema: S, words: Documentation): S {
  const own = z.clone(schema, schema._zod.def);
  documentation.add(own, words);
  return own;
}

/** A shape that the OpenAPI document defines once, by name. */
/* @__NO_SIDE_EFFECTS__ */
export function component<S extends z.ZodMiniType>(id: string, schema: S): S {
  documentation.add(schema, { id });
  return schema;
}

/** A whole number in a path or query: digits only. */
/* @__NO_SIDE_EFFECTS__ */
export function digits(from: number, to: number, message: string) {
  const bounded = z.number().check(z.gte(from, message), z.lte(to, message));
  return documented(
    z.pipe(z.string(message).check(z.regex(/^\d{1,15}$/, message)), z.pipe(z.transform(Number), bounded)),
    { input: { type: 'integer', minimum: from, maximum: to } },
  );
}

/** Ids are positive 32-bit integers. */
export const largestId = 2_147_483_647;
/** A row id in a path or query. */
export const idInPath = digits(1, largestId, 'Identifiant invalide.');
export const idParams = z.object({ id: idInPath });
export const id = z.int().check(z.gte(1), z.lte(largestId));

/** The depth of the catalogue (P6.1). */
export const maximumLevel = 5;
export const level = z.int().check(z.gte(1), z.lte(maximumLevel));

/** The answer to a deletion: the deleted row. */
export const deleted = component('Deleted', z.object({ id }));

/** A count, or a number of CFA francs; whole and never negative. */
export const count = z.int().check(z.gte(0));

// Typed for strings and arrays only, since zod measures any value with a `length`.
type Length = { error?: string };
const ofText = (error: string) =>
  ({ error, when: ({ value }: { value: unknown }) => typeof value === 'string' }) as Length;
const ofList = (error?: string) => ({ error, when: ({ value }: { value: unknown }) => Array.isArray(value) }) as Length;

/** Well-formed Unicode without unpaired surrogates and without NUL, as PostgreSQL requires. */
const storable = z.refine<string>((value) => !/[\0\p{Cs}]/u.test(value), 'Caractère interdit.');

const end = String.raw`[\s\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]`;
/** The lookbehind keeps a long run inside a text from being scanned again at each of its characters. */
const atEnds = new RegExp(`^${end}+|(?<!${end})${end}+$`, 'g');

/** A text as stored: composed letters (NFC), without white space and direction marks at its ends. */
export const composed = (text: string): string => text.replace(atEnds, '').normalize('NFC');

/** A secret in the form that is hashed and compared, equal for every keyboard: RFC 8265, section 4.2 (OpaqueString). */
export const opaque = (secret: string): string => secret.replace(/\p{Zs}/gu, ' ').normalize('NFC');

/** White space and invisible characters, such as a zero-width joiner, a Hangul filler or an empty Braille cell. */
const unseen = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Trimmed and composed input text of storable characters; it may be empty. */
/* @__NO_SIDE_EFFECTS__ */
export function freeText(max: number) {
  return z
    .string()
    .check(z.overwrite(composed), z.maxLength(max, ofText(`Ce champ est limité à ${max} caractères.`)), storable);
}

/** `freeText` with at least one visible character. */
/* @__NO_SIDE_EFFECTS__ */
export function text(max: number, message = 'Ce champ est requis.') {
  const seen = z.refine<string>((value) => value === '' || value.replace(unseen, '') !== '', message);
  return z
    .string(message)
    .check(
      z.overwrite(composed),
      z.minLength(1, ofText(message)),
      z.maxLength(max, ofText(`Ce champ est limité à ${max} caractères.`)),
      storable,
      seen,
    );
}

/** A name on one line: `text` without control characters and direction marks. */
/* @__NO_SIDE_EFFECTS__ */
export function nameText(max: number, message?: string) {
  return text(max, message).check(
    z.refine<string>((value) => !/[\p{Cc}\p{Bidi_C}]/u.test(value), 'Caractère interdit.'),
  );
}

/** Untrimmed text, such as a secret. */
/* @__NO_SIDE_EFFECTS__ */
export function verbatim(
  min: number,
  max: number,
  tooShort: string,
  tooLong = tooShort,
  spelt = (text: string) => text,
) {
  return z
    .string(tooShort)
    .check(z.overwrite(spelt), z.minLength(min, ofText(tooShort)), z.maxLength(max, ofText(tooLong)), storable);
}

/** Text of a fixed form, such as a colour or a slug. */
/* @__NO_SIDE_EFFECTS__ */
export function formed(form: RegExp, message: string) {
  return z.string(message).check(z.regex(form, message));
}

/* @__NO_SIDE_EFFECTS__ */
export function listOf<S extends z.ZodMiniType>(
  each: S,
  { min = 0, max }: { min?: number; max: number },
  message?: string,
) {
  return z.array(each).check(z.minLength(min, ofList(message)), z.maxLength(max, ofList()));
}

/* @__NO_SIDE_EFFECTS__ */
export const words = () => z.string();

/** An answer that only confirms success, in French. */
export const done = component('Done', z.object({ message: words() }));

/** An instant, as ISO 8601 in UTC. */
export const instant = documented(words(), { format: 'date-time' });

/** The years, fractions of a second and offsets (below 16 hours) that PostgreSQL and JavaScript both read. */
const readableInstant = /^(?:19\d\d|2\d{3})-[^.]+(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/;

/** An instant in a request, with its offset. */
export const askedInstant = z.iso
  .datetime({ offset: true, error: 'Instant attendu au format 2026-11-21T08:30:00Z.' })
  .check(z.refine((value) => readableInstant.test(value), 'Cet instant est hors du calendrier.'));

/** The version that a change is based on, for optimistic concurrency control. Callers may omit it. */
export const expectedUpdatedAt = documented(z.optional(z.nullable(askedInstant)), {
  description:
    'The `updatedAt` that the change is based on, null if nothing is stored yet. If another one is stored, the change is refused.',
});

/** The time zone of a browser, in the browser's own spelling. */
export const timeZone = documented(z.optional(freeText(60)), {
  description:
    'An IANA time zone, such as Africa/Ouagadougou, or an offset, such as +05:30. UTC for one that is unknown.',
});

/** The maximum exact count of a list; beyond it, `X-Total-Count-Capped` marks a lower bound. */
export const countedUpTo = 10_000;

/** Lists answer an array, newest first; X-Total-Count has its full length. */
export const listQuery = {
  limit: documented(z.prefault(digits(1, 1000, 'De 1 à 1000 lignes.'), '100'), {
    input: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    description: 'Rows at most.',
  }),
  before: documented(z.optional(idInPath), { description: 'Id of the last row seen: the answer starts after it.' }),
};
export const searchLength = 100;
/* @__NO_SIDE_EFFECTS__ */
export const searchUpTo = (max: number) =>
  documented(z.optional(freeText(max)), { description: 'The searched text, in any case.' });
export const searchQuery = searchUpTo(searchLength);
