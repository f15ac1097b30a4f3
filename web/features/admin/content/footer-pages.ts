import { contentAddress, privacyAddress, termsAddress } from '#web/addresses.ts';

/** Whether the links at the foot of the visitor's screens lead to the page of this address. */
export const isInFooter = (slug: string): boolean => [termsAddress, privacyAddress].includes(contentAddress(slug));
