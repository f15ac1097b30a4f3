import type { Page } from '@playwright/test';

/** How a path was asked for and answered. */
export interface Asked {
  path: string;
  etag: string | undefined;
  status: number;
}

/** Tells how a path is asked for from now on, and answered. */
export function watchEtags(page: Page, path: RegExp): Asked[] {
  const asked: Asked[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!path.test(pathname)) return;
    asked.push({ path: pathname, etag: response.request().headers()['if-none-match'], status: response.status() });
  });
  return asked;
}
