import { expect, type Page } from '@playwright/test';
import { connectivityEvent } from '#web/api/client.ts';
import { untilAnswered } from './answers.ts';

/** Gives a page a clock that a test controls, and polls without jitter. */
export async function installClock(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Math.random = () => 0.5;
  });
  // The answers that the page has read, from its next load on.
  await page.addInitScript((event) => {
    const counted = Object.assign(window, { answersRead: 0 });
    addEventListener(event, () => {
      counted.answersRead += 1;
    });
  }, connectivityEvent);
  await page.clock.install();
}

/** Stops the page's clock: from here on only `runFor` advances it. What it asked for until then is answered. */
export async function stopClock(page: Page): Promise<void> {
  const now = () => page.evaluate(() => Date.now());
  // On a busy machine the page may be past that moment by then; it stands all the same, and is left where it is.
  await page.clock.pauseAt((await now()) + 1000).catch(async () => page.clock.pauseAt(await now()));
  // A poll that left just before, or in the jump, would be taken for the next one.
  await untilAnswered(page);
}

/** Acts, and waits until the page has read the answer from this path, and all others: the next poll period starts there. */
export async function untilAnswer(page: Page, path: RegExp, act: () => Promise<unknown>): Promise<void> {
  const read = () => page.evaluate(() => (window as unknown as { answersRead: number }).answersRead);
  const before = await read();
  const answered = page.waitForResponse((response) => path.test(new URL(response.url()).pathname));
  await act();
  await (await answered).finished();
  await expect.poll(read, { intervals: [10, 20, 50] }).toBeGreaterThan(before);
  // That may have been another one's answer.
  await untilAnswered(page);
  await page.clock.runFor(1);
}

/** Advances the clock by so many milliseconds, in which this path is requested. */
export const runUntilAnswer = (page: Page, path: RegExp, ms: number) =>
  untilAnswer(page, path, () => page.clock.runFor(ms));

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
