import { contentAddress, privacyAddress, termsAddress } from '#web/addresses.ts';

/** The footer link of the visitors' screens to this slug, if any. */
export function footerLinkTo(slug: string): string | undefined {
  const address = contentAddress(slug);
  if (address === termsAddress) return 'Conditions d’utilisation';
  return address === privacyAddress ? 'Politique de confidentialité' : undefined;
}
