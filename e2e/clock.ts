import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';

/** Hours from UTC to where it is noon now. */
const toNoon = 12 - new Date().getUTCHours();
/** A time zone without a midnight during a test. Such names have the sign of POSIX. */
export const noonZone = `Etc/GMT${toNoon > 0 ? '-' : '+'}${Math.abs(toNoon)}`;

/** Stops the page's clock: from here on only `runFor` advances it. What it asked for until then is answered. */
export async function stopClock(page: Page): Promise<void> {
  const now = () => page.evaluate(() => Date.now());
  // On a busy machine the page may be past that moment by then; it stands all the same, and is left where it is.
  await page.clock.pauseAt((await now()) + 1000).catch(async () => page.clock.pauseAt(await now()));
  // A poll that left just before, or in the jump, would be taken for the next one.
  await untilAnswered(page);
}

/** Hides the page as another tab would, or shows it again. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isHidden ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

/** Has a page poll at once, as one that is seen again does. */
export async function seeAgain(page: Page): Promise<void> {
  await setHidden(page, true);
  await setHidden(page, false);
}
