import { requestTimeoutMs } from './limits.ts';

/** Where the page's own script (`web/build/early-script.ts`) leaves the answers it asked for, by path. */
export const preloadedResponsesName = 'guichetEarly';

/** An answer that the page asked for before the app was there; each is taken once, and none long after, when it is
 * no longer today's. */
export function takePreloadedResponse(path: string): Promise<Response> | undefined {
  const early = (globalThis as { [preloadedResponsesName]?: Record<string, Promise<Response>> })[
    preloadedResponsesName
  ];
  const answer = early?.[path];
  if (answer) delete early[path];
  return performance.now() < requestTimeoutMs ? answer : undefined;
}
