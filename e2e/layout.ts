import { expect, type Locator, type Page } from '@playwright/test';

/** Positions of elements, and checks of their space. */

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('nothing is drawn');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Doubles the text size, as people with low vision do. */
export const enlarge = (page: Page, large = true) =>
  page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size;
    },
    large ? '200%' : '',
  );

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

/**
 * The texts of the screen that a person cannot read whole, and the words that break without a hyphen. A text that ends in
 * dots counts as readable where it has a title, or is part of a button, link or summary, which leads to all of it. A code
 * breaks after its stars.
 */
export const findUnreadable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body;
    const found = new Set<string>();
    const leads = 'a, button, summary, [title], label, input, textarea, .sr-only, .font-mono';
    const isCut = (element: Element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      return (
        (overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY !== 'visible' && overflowY !== 'auto' && element.scrollHeight > element.clientHeight + 1)
      );
    };
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const holder = node.parentElement as HTMLElement;
      if (!node.textContent?.trim() || !holder.checkVisibility() || holder.closest('.sr-only')) continue;
      for (let each: Element | null = holder; each && each !== root; each = each.parentElement)
        if (isCut(each) && !holder.closest(leads)) found.add(`cut: ${node.textContent}`);
      if (holder.closest('.font-mono') || getComputedStyle(holder).hyphens === 'auto') continue;
      for (const { 0: word, index } of node.textContent.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.add(`broken: ${word}`);
      }
    }
    return [...found];
  });
