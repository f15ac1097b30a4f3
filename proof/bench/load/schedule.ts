/** Requests that come so often whatever becomes of those before: to each of so many targets in turn. */
export interface Stream {
  perSecond: number;
  targets: number;
}

/** A request that is due: which stream's, to which of its targets, and when it was to leave, in ms from the start. */
export interface Due {
  stream: number;
  target: number;
  at: number;
}

/**
 * When each request of an open loop is to leave: those of a stream in even steps, so that each of its targets is asked once in
 * `targets / perSecond` seconds, exactly. Latency counts from here, and not from when there was a connection for it: else a
 * server that holds everybody up would be measured by the few that it let ask (coordinated omission).
 */
export function openSchedule(streams: readonly Stream[]) {
  const sent = streams.map(() => 0);
  return {
    /** What is due by now and was not taken before, in the order of time. */
    take(elapsedMs: number): Due[] {
      const due: Due[] = [];
      for (const [stream, { perSecond, targets }] of streams.entries())
        for (;;) {
          const number = sent[stream] as number;
          const at = (number * 1_000) / perSecond;
          if (at > elapsedMs) break;
          due.push({ stream, target: number % targets, at });
          sent[stream] = number + 1;
        }
      return due.sort((a, b) => a.at - b.at);
    },
  };
}
