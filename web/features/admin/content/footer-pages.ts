import { contentAddress, privacyAddress, termsAddress } from '#web/addresses.ts';

/** The link at the foot of the visitor's screens that leads to the page of this address, if one does. */
export function footerLinkTo(slug: string): string | undefined {
  const address = contentAddress(slug);
  if (address === termsAddress) return 'Conditions d’utilisation';
  return address === privacyAddress ? 'Politique de confidentialité' : undefined;
}
