import { useSyncExternalStore } from 'react';

/** Where the page's own script (`web/build/early-script.ts`) leaves the browser's offer to install the app. */
export const installOfferName = 'guichetInstall';

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent, which TypeScript does not know. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const offers = ['beforeinstallprompt', 'appinstalled'] as const;
const readOffer = () => (window as { [installOfferName]?: InstallOffer })[installOfferName];

/** What asks the person to install the app; nothing where the browser offers no such thing, or it is installed. */
export function useInstall(): (() => void) | undefined {
  const offer = useSyncExternalStore((onChange) => {
    for (const each of offers) addEventListener(each, onChange);
    return () => {
      for (const each of offers) removeEventListener(each, onChange);
    };
  }, readOffer);
  if (!offer) return undefined;
  return () => {
    // An offer can be taken once; the browser makes another one when it is declined.
    delete (window as { [installOfferName]?: InstallOffer })[installOfferName];
    dispatchEvent(new Event('appinstalled'));
    offer.prompt().catch(() => {});
  };
}
