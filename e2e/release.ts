import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Product } from './product.ts';

const hashOf = (page: string) => `sha256-${createHash('sha256').update(page).digest('base64')}`;

/**
 * A proxy before the product that can serve a newer version to later requests: another page with its `data-release`,
 * and its service worker. All image requests get the same image.
 */
export async function startRelease({ url }: Product) {
  let release = 1;
  const builtPage = await (await fetch(url)).text();
  const pageNow = () => builtPage.replace('<html ', `<html data-release="${release}" `);
  const workerNow = (built: string) =>
    built.replace(hashOf(builtPage), hashOf(pageNow())).replace('guichet-shell-', `guichet-shell-${release}-`);
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/uploads/'))
      return response.writeHead(200, { 'cache-control': 'public, max-age=31536000, immutable' }).end('image');
    const isPage = request.url === '/';
    const isOurs = isPage || request.url === '/service-worker.js';
    // Changed files come uncompressed and unconditionally.
    const headers = isOurs ? {} : request.headers;
    const asked = httpRequest(url + request.url, { method: request.method, headers }, async (answer) => {
      const { 'content-length': length, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, isOurs || length === undefined ? rest : answer.headers);
      if (isOurs) return response.end(isPage ? pageNow() : workerNow(await text(answer)));
      for await (const piece of answer) response.write(piece);
      response.end();
    });
    request.pipe(asked);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    update: () => {
      release += 1;
    },
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
