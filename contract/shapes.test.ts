import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { askedInstant, freeText, id, idInPath, nameText, text } from './shapes.ts';

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });
const endpoints = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'operation' in value);

/** Every schema that parses input, and those nested in it, each with its path. */
function* within(schema: z.ZodMiniType, way: string): Generator<[way: string, schema: z.ZodMiniType]> {
  yield [way, schema];
  const def = schema._zod.def as unknown as Record<string, unknown>;
  const inner: [string, unknown][] = [
    ...Object.entries((def.shape as object | undefined) ?? {}),
    ...['innerType', 'element', 'in', 'out', 'valueType'].map((name): [string, unknown] => [name, def[name]]),
    ...((def.options as unknown[] | undefined) ?? []).map((option, index): [string, unknown] => [
      `option ${index}`,
      option,
    ]),
  ];
  for (const [name, each] of inner)
    if (typeof each === 'object' && each !== null && '_zod' in each)
      yield* within(each as z.ZodMiniType, `${way}.${name}`);
}
const inputs = endpoints.flatMap(({ operation, params, query, body }) =>
  Object.entries({ params, query, body }).map(([part, schema]): [string, z.ZodMiniType] => [
    `${operation} ${part}`,
    schema,
  ]),
);
/** What brings money is kept whatever its form: it is cleaned, and not refused. */
const cleaned = /^(?:receivePaymentSms|receiveWaveEvent) body/;
const texts = inputs
  .filter(([name]) => !cleaned.test(name))
  .flatMap(([name, schema]) => [...within(schema, name)])
  .filter(([, schema]) => schema._zod.def.type === 'string');

test('the texts that callers send are found, in bodies, queries and paths', () => {
  expect(inputs.length).toBe(3 * endpoints.length);
  expect(texts.length).toBeGreaterThan(60);
  for (const part of ['body', 'query', 'params']) expect(texts.some(([way]) => way.includes(` ${part}`))).toBe(true);
});

test.each(texts)('%s is text that can be kept: well-formed, without NUL', (_, schema) => {
  for (const wrong of ['a\0b', '\0', 'Awa\ud83d', '\udc00a'])
    expect(z.safeParse(schema, wrong).success, JSON.stringify(wrong)).toBe(false);
});

describe('no input makes a schema throw', () => {
  const never = { toString: 1, valueOf: 1 };
  const nasty = fc.oneof(
    fc.constantFrom<unknown>(
      { length: never },
      { length: { toString: 1 } },
      { size: never },
      Object.create(null),
      { constructor: null },
      { trim: 1, replace: 1, includes: 1 },
      never,
      Number.NaN,
      -0,
      1e308,
      '9'.repeat(400),
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
      '\ud800',
      '\0',
    ),
    fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true }),
  );

  test.each(inputs)('%s', (_, schema) => {
    const shape = (schema._zod.def as { shape?: Record<string, unknown> }).shape ?? {};
    const fields = Object.fromEntries(Object.keys(shape).map((name) => [name, nasty]));
    fc.assert(
      fc.property(fc.oneof(nasty, fc.record(fields, { requiredKeys: [] })), (input) => {
        z.safeParse(schema, input);
      }),
      { numRuns: 100 },
    );
    for (const value of [{ length: { toString: 1 } }, never])
      z.safeParse(schema, Object.fromEntries(Object.keys(shape).map((name) => [name, value])));
  });
});

test.each([
  ['nothing', ''],
  ['white space', ' \t\u00a0\u2003\u3000'],
  ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
  ['marks of direction', '\u200e\u202a\u202e\u2066'],
  ['a soft hyphen', '\u00ad'],
  ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
  ['empty Braille cells', '\u2800\u2800'],
  ['a variation selector', '\ufe0f'],
  ['tags', '\u{e0041}\u{e007f}'],
])('a required text of %s is empty', (_, value) => {
  expect(z.safeParse(text(80), value)).toMatchObject({
    success: false,
    error: { issues: [{ message: 'Ce champ est requis.' }] },
  });
  expect(z.safeParse(freeText(80), value).success).toBe(true);
});

test.each([
  'A\u202ewa',
  'Awa\u200fSawadogo',
  'A\u2066wa\u2069',
  'Awa\u0007',
  'Awa\u001b[31m',
  'Awa\nSawadogo',
  'Awa\u0085',
])('a name is read as it is written: %j has what is not', (value) => {
  expect(z.safeParse(nameText(80), value)).toMatchObject({
    success: false,
    error: { issues: [{ message: 'Caractère interdit.' }] },
  });
  expect(z.safeParse(text(80), value).success).toBe(true);
});

test.each(['Awa', "N'Guessan Kouamé", 'Ɗaɗi Ŋ', '\u202aAwa\u202c', 'Orange Money \u{1f1e7}\u{1f1eb}', 'عائشة'])(
  '%j is a name',
  (value) => {
    expect(z.safeParse(nameText(80), value).success).toBe(true);
  },
);

test.each([
  '0000-01-01T00:00:00Z',
  '1899-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '',
  '2024-01-01T00:00:00-23:59',
  '2024-01-01T00:00:00+16:00',
  '2024-01-01T00:00:00+05',
  '2024-01-01T24:00:00Z',
  `2024-01-01T00:00:00.${'1'.repeat(200)}Z`,
  '2024-01-01T00:00:00',
])('%j is no instant to ask about', (instant) => {
  expect(z.safeParse(askedInstant, instant).success).toBe(false);
});

test('instants of this calendar are asked about with any offset', () => {
  for (const instant of [
    '2026-11-21T08:30:00Z',
    '1900-01-01T00:00:00+14:00',
    '2999-12-31T23:59:59-12:00',
    '2024-01-01T00:00:00-15:59',
    '2024-01-01T00:00:00.123456789+15:59',
  ])
    expect(z.safeParse(askedInstant, instant).success, instant).toBe(true);
});

describe('the common fields', () => {
  test('an id is a positive 32-bit integer, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (given) => {
        const read = z.safeParse(idInPath, given);
        if (read.success) expect(Number.isInteger(read.data) && read.data >= 1 && read.data < 2 ** 31).toBe(true);
      }),
    );
    for (const given of ['1', 0, 1.5, 2 ** 31, null]) expect(z.safeParse(id, given).success).toBe(false);
  });

  test('text is trimmed, has something in it, has a limit, and no NUL, which PostgreSQL refuses', () => {
    const short = text(5, 'Requis.');
    expect(z.parse(short, '  Awa ')).toBe('Awa');
    expect(z.safeParse(short, '   ').error?.issues[0]?.message).toBe('Requis.');
    expect(z.safeParse(short, 'abcdef').error?.issues[0]?.message).toContain('5 caractères');
    expect(z.safeParse(short, 'a\0b').success).toBe(false);
    expect(z.safeParse(short, 12).success).toBe(false);
  });
});
