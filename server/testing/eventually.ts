import { vi } from 'vitest';

/**
 * Asks until it no longer throws, and answers what came then: a fact is waited for, however slow the machine is. Only a
 * promise of the product itself has a time of its own, in milliseconds.
 */
export const eventually = <Value>(
  fact: () => Value | Promise<Value>,
  { withinMs = 60_000 }: { withinMs?: number } = {},
): Promise<Value> => vi.waitFor(fact, { timeout: withinMs, interval: 5 });
