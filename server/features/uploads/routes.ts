import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { httpLimits } from '#server/process/limits.ts';
import type { ServedImages } from './served-images.ts';

const forever = `public, max-age=${httpLimits.foreverSeconds}, immutable`;

/** Serves uploaded images to everybody, as what they are: they can run nothing, and a browser keeps them for ever. */
export function imageRoutes(app: FastifyInstance, { images }: { images: ServedImages }): void {
  app.get<{ Params: { '*': string } }>('/uploads/*', { schema: { hide: true } }, async (request, reply) => {
    const image = await images.show(request.params['*']);
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
