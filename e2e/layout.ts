import { expect, type Locator, type Page } from '@playwright/test';

/** Where things stand, and that they have the room they need. */

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('nothing is drawn');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Text twice as large, as somebody who sees little has it. */
export const enlarge = (page: Page, large = true) =>
  page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size;
    },
    large ? '200%' : '',
  );

/** Nothing on the page is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { width, room } = await page.evaluate(() => ({
    width: Math.max(
      document.documentElement.scrollWidth,
      ...[...document.querySelectorAll('dialog')].map((d) => d.scrollWidth),
    ),
    room: document.documentElement.clientWidth,
  }));
  expect(width).toBeLessThanOrEqual(room);
}
