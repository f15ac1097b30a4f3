import { phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { tour } from './tour.ts';

/** Of https://web.dev/articles/cls, a fifth of what counts as good. */
const limit = 0.02;

/** A line that is long, and wide: bytes a second. */
const fast = { offline: false, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000 };

interface Shift {
  value: number;
  moved: string[];
}

test('on a phone nothing moves by itself while a screen comes in', async ({ page, product }) => {
  // Some forty screens.
  test.setTimeout(600_000);
  await page.setViewportSize(phoneSize);
  // What comes later than half a second after a press is not what was asked for by it.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', { ...fast, latency: 700 });
  let shifts: Shift[] = [];
  await page.exposeBinding('noteShift', (_, shift: Shift) => void shifts.push(shift));
  await page.addInitScript(() => {
    interface LayoutShift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const { noteShift } = window as unknown as { noteShift: (shift: object) => void };
    const spell = ({ node, previousRect: from, currentRect: to }: LayoutShift['sources'][number]) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${Math.round(from.top)} to ${Math.round(to.top)} px: ${element?.outerHTML.slice(0, 160) ?? 'what is gone'}`;
    };
    new PerformanceObserver((list) => {
      // What follows from a press within half a second is what was asked for.
      for (const entry of list.getEntries() as LayoutShift[])
        if (!entry.hadRecentInput) noteShift({ value: entry.value, moved: entry.sources.map(spell) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const person = { firstName: 'Wendkuuni', lastName: 'Ouédraogo-Kaboré', phone: '76111119' };
  const seen: string[] = [];
  const unsteady: { screen: string; sum: number; shifts: Shift[] }[] = [];
  await tour(page, product, person, async (screen) => {
    seen.push(screen);
    // What is still asked for comes in, and is drawn; the observer hears of a frame after it.
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    if (sum >= limit) unsteady.push({ screen, sum, shifts });
    shifts = [];
  });
  expect(seen.length).toBeGreaterThan(35);
  expect(unsteady).toEqual([]);
});
