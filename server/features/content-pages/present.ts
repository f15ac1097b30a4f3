import type { ContentPage } from '#contract/content-pages.ts';
import type { ContentPageRow } from './store.ts';

export function presentContentPage(row: ContentPageRow): ContentPage {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    content: row.content,
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
