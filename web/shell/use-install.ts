import { useSyncExternalStore } from 'react';

/** The window property in which `web/build/first-document.ts` stores the browser's installation offer. */
export const installOfferName = 'guichetInstall';

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent, missing in TypeScript. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const offers = ['beforeinstallprompt', 'appinstalled'] as const;
const readOffer = () => (window as { [installOfferName]?: InstallOffer })[installOfferName];

/** Prompts for the installation of the app; `undefined` if the browser does not offer it. */
export function useInstall(): (() => void) | undefined {
  const offer = useSyncExternalStore((onChange) => {
    for (const each of offers) addEventListener(each, onChange);
    return () => {
      for (const each of offers) removeEventListener(each, onChange);
    };
  }, readOffer);
  if (!offer) return undefined;
  return () => {
    // An offer works once; after a refusal the browser makes another.
    delete (window as { [installOfferName]?: InstallOffer })[installOfferName];
    dispatchEvent(new Event('appinstalled'));
    offer.prompt().catch(() => {});
  };
}
