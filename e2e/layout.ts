import { expect, type Locator, type Page } from '@playwright/test';

/** Positions of elements, and checks of their space. */

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('nothing is drawn');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** The lines of a text, as drawn. */
export const linesOf = (text: Locator) =>
  text.evaluate((element) => {
    const { lineHeight } = getComputedStyle(element);
    return Math.round(element.getBoundingClientRect().height / Number.parseFloat(lineHeight));
  });

/** Doubles the text size, as people with low vision do. */
export const enlarge = (page: Page, large = true) =>
  page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size;
    },
    large ? '200%' : '',
  );

/** Checks that each text, a word, stands on one line. */
export async function expectUnbroken(words: Locator): Promise<void> {
  const lines = await words.evaluateAll((all) =>
    all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    }),
  );
  expect(lines).toEqual(lines.map(() => 1));
}

/** Checks that no element is wider than the screen. */
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
