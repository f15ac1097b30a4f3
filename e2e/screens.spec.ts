import AxeBuilder from '@axe-core/playwright';
import { desktopSize, phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { tour } from './tour.ts';

const sizes = { 'a phone': phoneSize, 'a desk': desktopSize };

for (const [index, [size, viewport]] of Object.entries(sizes).entries())
  test(`on ${size} no screen has an accessibility violation, scrolls sideways, or complains`, async ({
    page,
    product,
  }) => {
    // Some forty screens, each judged.
    test.setTimeout(300_000);
    await page.setViewportSize(viewport);
    const seen: string[] = [];
    const person = { firstName: 'Wendkuuni', lastName: 'Ouédraogo-Kaboré', phone: `7611111${index}` };
    await tour(page, product, person, async (name) => {
      seen.push(name);
      // An entrance is no state of its own: what is judged is where it ends.
      await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
      // As tall as its content, so that nothing lies half under the navigation, where only scrolling put it.
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, tall) });
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        // In the page itself: there are no frames of other sites, for which it would open a second page each time.
        .setLegacyMode()
        .analyze();
      expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.html)}`)).toEqual([]);
      await page.setViewportSize(viewport);
    });
    expect(seen.length).toBeGreaterThan(35);
  });
