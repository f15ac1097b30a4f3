import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/background.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { discardImage } from '#server/features/uploads/discard-images.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { imageWidths, reencodeImage } from '#server/features/uploads/reencode-image.ts';
import { route } from '#server/http/route.ts';
import { readBackground, saveBackground } from './store.ts';

export function backgroundRoutes(app: FastifyInstance, { db, images }: { db: Db; images: ImageStore }): void {
  route(app, endpoints.readBackground, async () => readBackground(db));

  route(app, endpoints.saveBackground, async ({ body }) => {
    if (body.backgroundImage && !(await images.has(body.backgroundImage)))
      throw new Failure('INVALID', { message: "L'image doit être téléchargée ici." });
    const { replaced } = await saveBackground(db, body);
    if (replaced) await discardImage({ db, images }, replaced);
    return body;
  });

  route(app, endpoints.uploadBackground, async ({ file }) => {
    if (!file) throw new Failure('FILE_MISSING');
    return { url: await images.put(await reencodeImage(file, imageWidths.background)) };
  });
}
