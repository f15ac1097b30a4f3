import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';

/** What moved on a page by itself, after its first drawing. */
export interface Shift {
  value: number;
  moved: string[];
}

/** A line that is long, and wide: bytes a second. */
const fast = { offline: false, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000 };

export interface ShiftWatch {
  /** What moved since the last screen; waits until this one has all it asked for. */
  take(): Promise<Shift[]>;
  /** Forgets what has moved so far, as by another size of the screen. */
  forget(): Promise<void>;
}

/** Notes from now on what moves, over a line so long that an answer comes later than half a second after a press: by itself. */
export async function watchShifts(page: Page): Promise<ShiftWatch> {
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
  // The observer hears of a frame after it.
  const untilHeard = () =>
    page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return {
    async take() {
      await untilAnswered(page);
      await untilHeard();
      const noted = shifts;
      shifts = [];
      return noted;
    },
    async forget() {
      await untilHeard();
      shifts = [];
    },
  };
}
