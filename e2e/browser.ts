import { findChromium } from '../scripts/chromium.mjs';

export const phoneSize = { width: 360, height: 740 };
/** A phone in landscape. */
export const landscapeSize = { width: 740, height: 360 };
/** A small one, and one of 1366 × 768 whose pages are set to 125 %. */
export const laptopSizes = [
  { width: 1024, height: 768 },
  { width: 1093, height: 614 },
] as const;
export const desktopSize = { width: 1280, height: 800 };

const executablePath = findChromium();

/** A French phone in Ouagadougou; the browser itself connects to no other machine. */
export const browserOptions = {
  viewport: phoneSize,
  locale: 'fr-FR',
  timezoneId: 'Africa/Ouagadougou',
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  },
};
