import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/page-background.ts';
import { storeUpload, type UploadTools } from '#server/features/uploads/stored-images.ts';
import { route } from '#server/http/route.ts';
import { savePageBackground } from './save-page-background.ts';
import { findPageBackground, type PageBackgroundRow } from './store.ts';

export function pageBackgroundRoutes(app: FastifyInstance, tools: UploadTools): void {
  route(app, endpoints.readPageBackground, async () => presentPageBackground(await findPageBackground(tools.db)));

  route(app, endpoints.savePageBackground, async ({ body, write }) =>
    presentPageBackground(await savePageBackground(tools, write, body)),
  );

  route(app, endpoints.uploadPageBackground, async ({ file, write }) => storeUpload(tools, file, write), tools);
}

/** The settings in force, or the defaults: no image, opacity 30 %, blur 5 px. */
function presentPageBackground(row: PageBackgroundRow | undefined): endpoints.PageBackground {
  if (!row) return { ...endpoints.pageBackgroundDefaults, updatedAt: null };
  const { backgroundImage, opacity, blur, updatedAt } = row;
  return { backgroundImage, opacity, blur, updatedAt: updatedAt.toISOString() };
}
