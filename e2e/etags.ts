import type { Page } from '@playwright/test';

/** A conditional request and its answer. */
export interface RecordedRequest {
  path: string;
  etag: string | undefined;
  status: number;
}

/** Records the requests to a path from now on, with their answers. */
export function watchEtags(page: Page, path: RegExp): RecordedRequest[] {
  const asked: RecordedRequest[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!path.test(pathname)) return;
    asked.push({ path: pathname, etag: response.request().headers()['if-none-match'], status: response.status() });
  });
  return asked;
}
