import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '#contract/fold.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

async function foldInDatabase(texts: readonly string[]): Promise<string[]> {
  const { rows } = await api.pool.query(
    'select array_agg(fold_text(each) order by place) as folded from unnest($1::text[]) with ordinality as given(each, place)',
    [texts],
  );
  return rows[0].folded;
}

test('the database folds each character below U+3100, and what stands for others above, as the contract does', async () => {
  const points = Array.from({ length: 0x3100 }, (_, point) => point).slice(1);
  points.push(0xa78b, 0xa78c, 0xfb01, 0x1d7d5, 0x1bca0, 0x1d173, 0x1e900, 0xe0041, 0xe0100);
  for (let point = 0xfe00; point <= 0xffff; point += 1) points.push(point);
  const texts = points.map((point) => `a${String.fromCodePoint(point)}b`);
  const folded = await foldInDatabase(texts);
  const others = texts.filter((text, place) => folded[place] !== fold(text));
  expect(others.map((text) => text.codePointAt(1)?.toString(16))).toEqual([]);
});

test('and any text of them', async () => {
  const sign = fc.constantFrom(
    ...' \u00a0\u202f\t\r\n–−\u2011’ʼ´`″«»\u200b\u202a\u202c\u0301\u034f\ufe0fœÆﬁＡ１－'.split(''),
  );
  const texts = fc.array(fc.array(fc.oneof(sign, fc.string({ unit: 'grapheme', maxLength: 3 }))), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(texts, async (pieces) => {
      const written = pieces.map((each) => each.join('').replaceAll('\0', ''));
      expect(await foldInDatabase(written)).toEqual(written.map(fold));
    }),
  );
});
