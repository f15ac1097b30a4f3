import { contentAddress, privacyAddress, termsAddress } from '#web/addresses.ts';

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

/** The footer link of the visitors' screens to this slug, if any. */
export function footerLinkTo(slug: string): string | undefined {
  const address = contentAddress(slug);
  if (address === termsAddress) return "Conditions d'utilisation";
  return address === privacyAddress ? 'Politique de confidentialité' : undefined;
}
