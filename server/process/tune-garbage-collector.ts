import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { heapLimits } from './limits.ts';

/**
 * V8 lets a heap grow to several times what lives in it before it looks for what does not: fine for a large machine, too much
 * for the small server that this is for. A small heap may double; a large one grows by a fifth.
 */
export function tuneGarbageCollector(): void {
  const allow = (percent: number) => v8.setFlagsFromString(`--heap-growing-percent=${percent}`);
  allow(heapLimits.smallGrowsPercent);
  let isLarge = false;
  new PerformanceObserver(() => {
    const wasLarge = isLarge;
    isLarge = v8.getHeapStatistics().used_heap_size > heapLimits.largeBytes;
    if (isLarge !== wasLarge) allow(isLarge ? heapLimits.largeGrowsPercent : heapLimits.smallGrowsPercent);
  }).observe({ entryTypes: ['gc'] });
}
