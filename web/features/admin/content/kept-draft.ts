import type { ContentPage } from '#contract/content-pages.ts';

/** What an administrator writes of a page. */
export type PageFields = Pick<ContentPage, 'slug' | 'title' | 'content' | 'isActive'>;

/** What was written and not saved. */
export interface KeptDraft {
  fields: PageFields;
  /** The page as it was when the writing began; null for a new one. */
  base: ContentPage | null;
  /** When it was last written in, as an instant. */
  keptAt: string;
}

const prefix = 'guichet_page_draft_';

/** Where an administrator's draft of a page is kept; `page` is its id, or the word for a new one. */
export const draftKey = (userId: number, page: string) => `${prefix}${userId}_${page}`;

/** Forgets what other administrators wrote in this tab and did not save. */
export function forgetDraftsOfOthers(userId: number): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && !key.startsWith(draftKey(userId, ''))) forgetDraft(key);
}

/** The draft kept in this browser tab, if there is one; what is no draft is removed. */
export function readDraft(key: string): KeptDraft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null') as KeptDraft | null;
    if (typeof draft?.fields.content === 'string' && !Number.isNaN(Date.parse(draft.keptAt))) return draft;
  } catch {
    // Removed below, like any other entry that is no draft.
  }
  forgetDraft(key);
  return undefined;
}

/** Keeps a draft in this browser tab, over a reload and a crash. */
export function keepDraft(key: string, draft: KeptDraft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing, or is full: the text stands in the form all the same.
  }
}

export function forgetDraft(key: string): void {
  sessionStorage.removeItem(key);
}
