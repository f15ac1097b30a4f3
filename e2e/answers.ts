import { expect, type Page, type Request } from '@playwright/test';

/** Requests of pages that are under way. */
const openRequests = new WeakMap<Page, Set<Request>>();

/** Follows what a page asks for, from now on. */
export function followRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Lets a page do what it has to do at once; its clock may stand. */
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
 * Waits until a page has all that it asks for, and what it asks for next because of that. Not Playwright's 'networkidle', which once
 * it was reached waits for nothing until the next document.
 */
export async function untilAnswered(page: Page): Promise<void> {
  const open = openRequests.get(page);
  if (!open) throw new Error('nobody follows the requests of this page');
  do {
    await expect.poll(() => [...open].map((request) => request.url()), { intervals: [10, 20, 50] }).toEqual([]);
    // What it read is drawn, and effects ask.
    for (let turns = 0; turns < 3; turns += 1) await turn(page);
  } while (open.size > 0);
}

/** Counts the requests of a page to a path from now on. */
export function countRequests(page: Page, method: string, path: RegExp): { count: () => number } {
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) asked += 1;
  });
  return { count: () => asked };
}
