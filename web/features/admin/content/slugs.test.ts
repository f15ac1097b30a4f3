import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentPageForm } from '#contract/content-pages.ts';
import { proposeSlug, slugLength } from './slugs.ts';

test.each([
  ['Aide', 'aide'],
  ['Foire aux questions (FAQ)', 'foire-aux-questions-faq'],
  ['  Où êtes-vous ? ', 'ou-etes-vous'],
  ['L’argent, c’est sûr', 'l-argent-c-est-sur'],
  ['Vœux & Ægir 2027', 'voeux-aegir-2027'],
  ['ÉTÉ', 'ete'],
  ['???', ''],
  ['', ''],
])('%j gives %j', (title, slug) => {
  expect(proposeSlug(title)).toBe(slug);
});

test('whatever the title, the contract takes what is proposed', () => {
  const title = fc.string({
    unit: fc.oneof(fc.constantFrom('a', 'É', 'œ', '-', ' ', '’'), fc.string()),
    maxLength: 200,
  });
  fc.assert(
    fc.property(title, (given) => {
      const slug = proposeSlug(given);
      expect(slug.length).toBeLessThanOrEqual(slugLength);
      if (slug) expect(contentPageForm.shape.slug.safeParse(slug).success).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
