import { type PageBackground, pageBackgroundDefaults } from '#contract/page-background.ts';
import type { PageBackgroundRow } from './store.ts';

/** The settings in force, or the defaults: no image, opacity 30 %, blur 5 px. */
export function presentPageBackground(row: PageBackgroundRow | undefined): PageBackground {
  if (!row) return { ...pageBackgroundDefaults, updatedAt: null };
  const { backgroundImage, opacity, blur, updatedAt } = row;
  return { backgroundImage, opacity, blur, updatedAt: updatedAt.toISOString() };
}
