import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/page-background.ts';
import type { UploadTools } from '#server/features/uploads/image-tools.ts';
import { withStoredImage } from '#server/features/uploads/with-stored-image.ts';
import { route } from '#server/http/route.ts';
import { presentPageBackground } from './present.ts';
import { savePageBackground } from './save-page-background.ts';
import { findPageBackground } from './store.ts';

export function pageBackgroundRoutes(app: FastifyInstance, tools: UploadTools): void {
  route(app, endpoints.readPageBackground, async () => presentPageBackground(await findPageBackground(tools.db)));

  route(app, endpoints.savePageBackground, async ({ body, write }) =>
    presentPageBackground(await savePageBackground(tools, write, body)),
  );

  route(
    app,
    endpoints.uploadPageBackground,
    async ({ file, write }) => {
      if (!file) throw new Failure('FILE_MISSING');
      return withStoredImage(tools, file, (url) => write(async () => ({ url: url as string })));
    },
    { countUpload: tools.countUpload },
  );
}
