import type { IncomingMessage } from 'node:http';
import { addressKey } from './rate-limits.ts';

interface Bounds {
  /** Of one address in a period. */
  atMost: number;
  periodMs: number;
  /** Addresses that have a counter of their own; later ones of a period share one. */
  addresses: number;
}

/** Counts requests by their address in the simplest way there is: what is answered from memory has no time for more. */
export function countByAddress(
  addressOf: (request: IncomingMessage) => string,
  { atMost, periodMs, addresses }: Bounds,
) {
  const counts = new Map<string, number>();
  const timer = setInterval(() => counts.clear(), periodMs).unref();
  return {
    /** Counts a request; false where there were too many of its address. */
    take(request: IncomingMessage): boolean {
      let key = addressKey(addressOf(request));
      let count = counts.get(key);
      if (count === undefined && counts.size >= addresses) {
        key = 'others';
        count = counts.get(key);
      }
      counts.set(key, (count ?? 0) + 1);
      return (count ?? 0) < atMost;
    },
    stop: () => clearInterval(timer),
  };
}
