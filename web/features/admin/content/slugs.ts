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
