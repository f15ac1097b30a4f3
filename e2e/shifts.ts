import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';

/** A layout shift after a page's first rendering, without a cause by the person. */
export interface Shift {
  value: number;
  moved: string[];
}

/** High latency and high throughput, in bytes a second. */
const fast = { offline: false, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000 };

export interface ShiftWatch {
  /** The shifts since the last screen, once this one has no pending requests. */
  take(): Promise<Shift[]>;
  /** Drops the shifts so far, as after resizing. */
  forget(): Promise<void>;
}

/**
 * Records layout shifts from now on. The latency exceeds half a second, so that shifts by answers do not count as
 * caused by a press.
 */
export async function watchShifts(page: Page): Promise<ShiftWatch> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', { ...fast, latency: 700 });
  let shifts: Shift[] = [];
  await page.exposeBinding('recordShift', (_, shift: Shift) => void shifts.push(shift));
  await page.addInitScript(() => {
    interface LayoutShift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const { recordShift } = window as unknown as { recordShift: (shift: object) => void };
    const spell = ({ node, previousRect: from, currentRect: to }: LayoutShift['sources'][number]) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${Math.round(from.top)} to ${Math.round(to.top)} px: ${element?.outerHTML.slice(0, 160) ?? 'what is gone'}`;
    };
    new PerformanceObserver((list) => {
      // Shifts within half a second after a press are expected.
      for (const entry of list.getEntries() as LayoutShift[])
        if (!entry.hadRecentInput) recordShift({ value: entry.value, moved: entry.sources.map(spell) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // The observer reports a shift one frame later.
  const untilReported = () =>
    page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return {
    async take() {
      await untilAnswered(page);
      await untilReported();
      const taken = shifts;
      shifts = [];
      return taken;
    },
    async forget() {
      await untilReported();
      shifts = [];
    },
  };
}
