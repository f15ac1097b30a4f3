import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';

/** How a path was asked for and answered. */
export interface Asked {
  path: string;
  etag: string | undefined;
  status: number;
}

/**
 * Tells how a path is asked for from now on, and answered. Where the server itself says no ETag, its answers get one, and who has
 * it a 304, without a body and without the length of the list.
 */
export async function watchEtags(page: Page, path: RegExp): Promise<Asked[]> {
  const asked: Asked[] = [];
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      const etag = route.request().headers()['if-none-match'];
      const answer = await route.fetch();
      const headers = answer.headers();
      const own = `W/"${createHash('sha256')
        .update(`${headers['x-total-count']} ${answer.status() === 304 ? '' : await answer.text()}`)
        .digest('base64url')
        .slice(0, 22)}"`;
      const isSame = answer.status() === 200 && !headers.etag && etag === own;
      asked.push({ path: new URL(route.request().url()).pathname, etag, status: isSame ? 304 : answer.status() });
      if (isSame) await route.fulfill({ status: 304, headers: { etag: own } });
      else await route.fulfill({ response: answer, headers: answer.ok() ? { etag: own, ...headers } : headers });
    },
  );
  return asked;
}
