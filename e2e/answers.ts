import { expect, type Page, type Request } from '@playwright/test';

const openRequests = new WeakMap<Page, Set<Request>>();

/** Tracks a page's requests from now on. */
export function followRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on('request', (request) => {
    // What the left document asked for has no end that is told.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Runs a page's pending tasks; its clock may be stopped. */
const turn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((turned) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = turned;
        port2.postMessage(0);
      }),
  );

/**
 * Waits until a page has no pending requests, including those that answers trigger. Playwright's 'networkidle' applies
 * only once per document.
 */
export async function untilAnswered(page: Page): Promise<void> {
  const open = openRequests.get(page);
  if (!open) throw new Error('nobody follows the requests of this page');
  do {
    await expect.poll(() => [...open].map((request) => request.url()), { intervals: [10, 20, 50] }).toEqual([]);
    // Answers are rendered, and effects run.
    for (let turns = 0; turns < 3; turns += 1) await turn(page);
  } while (open.size > 0);
}

/** Counts a page's requests to a path from now on. */
export function countRequests(page: Page, method: string, path: RegExp): { count: () => number } {
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) asked += 1;
  });
  return { count: () => asked };
}
