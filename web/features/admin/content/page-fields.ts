import type { ContentPage } from '#contract/content-pages.ts';
import type { PageFields } from './kept-draft.ts';

/** The editable fields of a page, empty for a new one. */
export function fieldsOf(page: ContentPage | null | undefined): PageFields {
  if (!page) return { slug: '', title: '', content: '', isActive: true };
  const { slug, title, content, isActive } = page;
  return { slug, title, content, isActive };
}

export function sameFields(one: PageFields, other: PageFields): boolean {
  const names = Object.keys(one) as (keyof PageFields)[];
  return names.every((name) => one[name] === other[name]);
}
