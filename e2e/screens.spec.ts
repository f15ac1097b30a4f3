import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { type Shift, watchShifts } from './shifts.ts';
import { tourAsAdministrator, tourAsVisitor } from './tour.ts';

/** A fifth of a good CLS by https://web.dev/articles/cls. */
const limit = 0.02;

/** With all animations, as most people have them. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const halves = {
  visitor: { whose: "a visitor's", tour: tourAsVisitor, screens: 33 },
  panel: { whose: "the administrators'", tour: tourAsAdministrator, screens: 24 },
};
const narrow = { on: 'the narrowest phone, in the dark with the largest text', viewport: { width: 320, height: 640 } };
const look = { theme: 'light', text: 'normal' };
const hard = { theme: 'dark', text: 'larger' };
/** Layout shifts are measured on a phone over a slow connection, which doubles the time of the tour. */
const cases = [
  { ...halves.visitor, on: 'a phone', viewport: phoneSize, chosen: look, moves: true },
  { ...halves.visitor, ...narrow, chosen: hard, moves: false },
  { ...halves.panel, on: 'a desk', viewport: desktopSize, chosen: look, moves: false },
  { ...halves.panel, ...narrow, chosen: hard, moves: false },
];

for (const [index, { on, viewport, moves, whose, tour, screens, chosen }] of cases.entries())
  test(`on ${on} no screen of ${whose} has an accessibility violation, scrolls sideways, complains${moves ? ', or moves by itself while it comes in' : ''}`, async ({
    page,
    product,
    provoke,
  }) => {
    test.setTimeout(900_000);
    // The tour looks at a receipt that is none.
    provoke('404 /api/receipts/');
    await page.setViewportSize(viewport);
    await page.addInitScript((text) => localStorage.setItem('guichet.look', text), JSON.stringify(chosen));
    const shifts = moves ? await watchShifts(page) : undefined;
    const seen: string[] = [];
    const unsteady: { screen: string; sum: number; shifts: Shift[] }[] = [];
    const person = { firstName: 'Wendkuuni', lastName: 'Ouédraogo-Kaboré', phone: `761111${10 + index}` };
    await tour(page, product, person, async (name) => {
      seen.push(name);
      const shifted = (await shifts?.take()) ?? [];
      const sum = shifted.reduce((total, { value }) => total + value, 0);
      if (sum >= limit) unsteady.push({ screen: name, sum, shifts: shifted });
      // Entrance animations are not checked, only their end.
      await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
      // As tall as its content, so that scrolling hides nothing under the navigation.
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, tall) });
      expect(await findViolations(page), name).toEqual([]);
      await page.setViewportSize(viewport);
      // Shifts from this resizing do not count for the next screen.
      await shifts?.forget();
    });
    expect(seen.length).toBeGreaterThanOrEqual(screens);
    expect(unsteady).toEqual([]);
  });
