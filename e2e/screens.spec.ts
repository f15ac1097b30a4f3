import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { type Shift, watchShifts } from './shifts.ts';
import { tourAsAdministrator, tourAsVisitor } from './tour.ts';

/** Of https://web.dev/articles/cls, a fifth of what counts as good. */
const limit = 0.02;

/** With all that moves, as most people have it. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Whether a screen lies still as it comes in is judged on a phone, over a long line, by which the tour takes twice as long. */
const sizes = [
  { size: 'a phone', viewport: phoneSize, moves: true, wrongs: 'complains, or moves by itself while it comes in' },
  { size: 'a desk', viewport: desktopSize, moves: false, wrongs: 'or complains' },
];
const halves = [
  { whose: 'a visitor’s', tour: tourAsVisitor, screens: 29 },
  { whose: 'the administrators’', tour: tourAsAdministrator, screens: 21 },
];
const tours = sizes.flatMap((size) => halves.map((half) => ({ ...size, ...half })));

for (const [index, { size, viewport, moves, wrongs, whose, tour, screens }] of tours.entries())
  test(`on ${size} no screen of ${whose} has an accessibility violation, scrolls sideways, ${wrongs} @slow`, async ({
    page,
    product,
  }) => {
    test.setTimeout(300_000);
    await page.setViewportSize(viewport);
    const shifts = moves ? await watchShifts(page) : undefined;
    const seen: string[] = [];
    const unsteady: { screen: string; sum: number; shifts: Shift[] }[] = [];
    const person = { firstName: 'Wendkuuni', lastName: 'Ouédraogo-Kaboré', phone: `7611111${index}` };
    await tour(page, product, person, async (name) => {
      seen.push(name);
      const shifted = (await shifts?.take()) ?? [];
      const sum = shifted.reduce((total, { value }) => total + value, 0);
      if (sum >= limit) unsteady.push({ screen: name, sum, shifts: shifted });
      // An entrance is no state of its own: what is judged is where it ends.
      await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
      // As tall as its content, so that nothing lies half under the navigation, where only scrolling put it.
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, tall) });
      expect(await findViolations(page), name).toEqual([]);
      await page.setViewportSize(viewport);
      // Nor is what follows from these sizes the next screen's.
      await shifts?.forget();
    });
    expect(seen.length).toBeGreaterThanOrEqual(screens);
    expect(unsteady).toEqual([]);
  });
