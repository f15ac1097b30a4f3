import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Failure } from '#contract/failure.ts';
import { imageSizes } from '#contract/uploads.ts';
import type { Db } from '#server/database/connect.ts';
import { httpLimits } from '#server/http/limits.ts';
import { imageLimits } from './limits.ts';
import { findImage } from './store.ts';

const forever = `public, max-age=${httpLimits.foreverSeconds}, immutable`;
const fileName = new RegExp(`^([a-f0-9]{32})(?:-(${imageSizes.join('|')}))?\\.webp$`);

/**
 * Serves images to everyone, with their type and without any right to run. Browsers cache them for a year, since they never change.
 * Recent ones are in memory, where concurrent requests share one read.
 */
export function imageRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const memory = new LRUCache<string, { bytes: Buffer; etag: string }>({
    maxSize: imageLimits.memoryBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
    // A waiting request gets its image even if the image is displaced meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(name) {
      const [, stem, asked] = fileName.exec(name) ?? [];
      const size = imageSizes.find((each) => String(each) === asked);
      const bytes = await findImage(db, `/uploads/${stem}.webp`, size);
      return bytes && { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` };
    },
  });

  app.get<{ Params: { '*': string } }>('/uploads/*', { schema: { hide: true } }, async (request, reply) => {
    const name = request.params['*'];
    const image = fileName.test(name) ? await memory.fetch(name) : undefined;
    if (!image) throw new Failure('NOT_FOUND');
    reply.headers({
      etag: image.etag,
      'cache-control': forever,
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const known = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''));
    if (known?.some((each) => each === image.etag || each === '*')) return reply.code(304).send();
    return reply.type('image/webp').send(image.bytes);
  });
}
