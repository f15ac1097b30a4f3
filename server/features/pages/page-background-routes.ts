import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/page-background.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import { requireImage } from '#server/features/uploads/store.ts';
import { storeUpload, type UploadTools } from '#server/features/uploads/store-upload.ts';
import { route } from '#server/http/route.ts';
import { findPageBackground, lockPageBackground, type PageBackgroundRow, updatePageBackground } from './page-background-store.ts';

export function pageBackgroundRoutes(app: FastifyInstance, tools: UploadTools): void {
  route(app, endpoints.readPageBackground, async () => presentPageBackground(await findPageBackground(tools.db)));

  route(app, endpoints.savePageBackground, async ({ body: { expectedUpdatedAt, ...look }, write }) => {
    const saved = await write(async (tx) => {
      const before = await lockPageBackground(tx);
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      await requireImage(tx, look.backgroundImage);
      return updatePageBackground(tx, look);
    });
    return presentPageBackground(saved);
  });

  route(app, endpoints.uploadPageBackground, async ({ file, write }) => storeUpload(tools, file, write), tools);
}

/** The settings in force, or the defaults: no image, opacity 30 %, blur 5 px. */
function presentPageBackground(row: PageBackgroundRow | undefined): endpoints.PageBackground {
  if (!row) return { ...endpoints.pageBackgroundDefaults, updatedAt: null };
  const { backgroundImage, opacity, blur, updatedAt } = row;
  return { backgroundImage, opacity, blur, updatedAt: updatedAt.toISOString() };
}
