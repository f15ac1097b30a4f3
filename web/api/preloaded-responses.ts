import { requestTimeoutMs } from './limits.ts';

/** The window property with the responses that `web/build/first-document.ts` requested, by path. */
export const preloadedResponsesName = 'guichetEarly';

/** A response requested before the app loaded; each is taken once, and only while it is recent. */
export function takePreloadedResponse(path: string): Promise<Response> | undefined {
  const early = (globalThis as { [preloadedResponsesName]?: Record<string, Promise<Response>> })[
    preloadedResponsesName
  ];
  const answer = early?.[path];
  if (answer) delete early[path];
  return performance.now() < requestTimeoutMs ? answer : undefined;
}
