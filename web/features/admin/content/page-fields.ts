import type { ContentPage } from '#contract/content-pages.ts';
import type { PageFields } from './kept-draft.ts';

/** What is written of a page; of a new one nothing yet. */
export function fieldsOf(page: ContentPage | null | undefined): PageFields {
  if (!page) return { slug: '', title: '', content: '', isActive: true };
  const { slug, title, content, isActive } = page;
  return { slug, title, content, isActive };
}

export function sameFields(one: PageFields, other: PageFields): boolean {
  const names = Object.keys(one) as (keyof PageFields)[];
  return names.every((name) => one[name] === other[name]);
}
