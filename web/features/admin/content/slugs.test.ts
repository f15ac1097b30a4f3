import { expect, test } from 'vitest';
import { proposeSlug, slugLength } from './slugs.ts';

test.each([
  ['Foire aux questions (FAQ)', 'foire-aux-questions-faq'],
  ['  Où êtes-vous ? ', 'ou-etes-vous'],
  ['Vœux & Ægir 2027', 'voeux-aegir-2027'],
  ['???', ''],
  [`${'a'.repeat(slugLength - 1)} bcd`, 'a'.repeat(slugLength - 1)],
])('%j gives %j', (title, slug) => {
  expect(proposeSlug(title)).toBe(slug);
});
