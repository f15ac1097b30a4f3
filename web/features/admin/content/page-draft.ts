import type { ContentPage } from '#contract/content-pages.ts';
import { sessionStore } from '#web/store.ts';

export type PageFields = Pick<ContentPage, 'slug' | 'title' | 'content' | 'isActive'>;

/** An unsaved draft. */
export interface KeptDraft {
  fields: PageFields;
  /** The page that the draft is based on; null for a new one. */
  base: ContentPage | null;
  keptAt: string;
}

const prefix = 'guichet_page_draft_';

/** The storage key of an administrator's draft; `page` is an id or the word for a new page. */
export const draftKey = (userId: number, page: string) => `${prefix}${userId}_${page}`;

/** Removes other administrators' drafts from this tab. */
export function forgetDraftsOfOthers(userId: number): void {
  for (const key of sessionStore.keys())
    if (key.startsWith(prefix) && !key.startsWith(draftKey(userId, ''))) forgetDraft(key);
}

/** The draft stored in this tab, if any; an invalid entry is removed. */
export function readDraft(key: string): KeptDraft | undefined {
  try {
    const draft = JSON.parse(sessionStore.read(key) ?? 'null') as KeptDraft | null;
    if (typeof draft?.fields.content === 'string' && !Number.isNaN(Date.parse(draft.keptAt))) return draft;
  } catch {
    // Removed below, as any invalid entry.
  }
  forgetDraft(key);
  return undefined;
}

/** Stores a draft in this tab, safe from a reload and a crash. */
export function keepDraft(key: string, draft: KeptDraft): void {
  sessionStore.keep(key, JSON.stringify(draft));
}

export function forgetDraft(key: string): void {
  sessionStore.forget(key);
}

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

/** The contract's limit. */
export const slugLength = 80;

/** Proposes a slug for a title: 'Foire aux questions (FAQ)' gives 'foire-aux-questions-faq'. */
export function proposeSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replace(/^-|-$/g, '');
}
