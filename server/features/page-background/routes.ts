import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/page-background.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import { imageWidths, reencodeImage } from '#server/features/uploads/reencode-image.ts';
import { route } from '#server/http/route.ts';
import { presentPageBackground } from './present.ts';
import { savePageBackground } from './save-page-background.ts';
import { findPageBackground } from './store.ts';

export function pageBackgroundRoutes(app: FastifyInstance, tools: ImageTools): void {
  route(app, endpoints.readPageBackground, async () => presentPageBackground(await findPageBackground(tools.db)));

  route(app, endpoints.savePageBackground, async ({ body }) => {
    await savePageBackground(tools, body);
    return body;
  });

  route(app, endpoints.uploadPageBackground, async ({ file }) => {
    if (!file) throw new Failure('FILE_MISSING');
    return { url: await tools.images.put(await reencodeImage(file, imageWidths.pageBackground)) };
  });
}
