import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestApi } from '#server/testing/test-api.ts';
import { plainReference } from './plain-reference.ts';

const api = await startTestApi();

test.each([
  ['PP261101.1200.A00001', 'PP2611011200A00001'],
  ['t_46hs5 coowe/1-2', 'T46HS5COOWE12'],
  ['ıſßé1', '1'],
  ['--', null],
  ['', null],
  [null, null],
])('the plain form of %j is %j', (reference, plain) => {
  expect(plainReference(reference)).toBe(plain);
});

test('the columns of tickets and payments say of any reference what the function says', async () => {
  const { rows: columns } = await api.pool.query<{ expression: string }>(
    `select pg_get_expr(adbin, adrelid) as expression from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
     where attname = 'plain_reference' order by adrelid::regclass::text`,
  );
  expect(columns).toHaveLength(2);
  const references = fc.array(fc.string({ unit: fc.constantFrom(...'aAiIıİſßéÉzZ09._/- \u00a0٣𝟗') }), {
    maxLength: 50,
  });
  await fc.assert(
    fc.asyncProperty(references, async (each) => {
      for (const { expression } of columns) {
        const { rows } = await api.pool.query<{ plain: string | null }>(
          `select ${expression} as plain from unnest($1::text[]) with ordinality as t (reference, place),
           lateral (select reference as payment_reference) p order by place`,
          [each],
        );
        expect(rows.map(({ plain }) => plain)).toEqual(each.map(plainReference));
      }
    }),
    { numRuns: 20 },
  );
});
