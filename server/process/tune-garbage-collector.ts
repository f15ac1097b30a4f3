import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/** How far V8's heap may grow beyond its live objects between two garbage collections. */
const limits = {
  /** Doubling costs little memory here. Collecting twice as often would cost a quarter of each answer's time. */
  smallGrowsPercent: 100,
  /** Size from which a heap is large. */
  largeBytes: 72 * 1024 * 1024,
  largeGrowsPercent: 20,
} as const;

/**
 * Limits heap growth. By default V8 lets a heap grow to several times its live objects; here a small one may double, a large one grows by
 * a fifth.
 */
export function tuneGarbageCollector(): void {
  const allow = (percent: number) => v8.setFlagsFromString(`--heap-growing-percent=${percent}`);
  allow(limits.smallGrowsPercent);
  let isLarge = false;
  new PerformanceObserver(() => {
    const wasLarge = isLarge;
    isLarge = v8.getHeapStatistics().used_heap_size > limits.largeBytes;
    if (isLarge !== wasLarge) allow(isLarge ? limits.largeGrowsPercent : limits.smallGrowsPercent);
  }).observe({ entryTypes: ['gc'] });
}
