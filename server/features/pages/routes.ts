import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import * as pages from '#contract/content-pages.ts';
import * as background from '#contract/page-background.ts';
import * as settings from '#contract/settings.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { requireImage } from '#server/features/uploads/store.ts';
import { storeUpload, type UploadTools } from '#server/features/uploads/store-upload.ts';
import { route } from '#server/http/route.ts';
import * as store from './store.ts';

const presentContentPage = (row: store.ContentPageRow): pages.ContentPage => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export function contentPageRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, pages.readContentPage, async ({ params }) =>
    presentContentPage(await store.requireActivePage(db, params.slug)),
  );

  route(app, pages.listContentPages, async () => (await store.listContentPages(db)).map(presentContentPage));

  route(app, pages.createContentPage, async ({ body, write }) =>
    presentContentPage(
      await write(async (tx, note) => {
        const created = await store.createContentPage(tx, body);
        note({ target: created.id });
        return created;
      }),
    ),
  );

  route(app, pages.updateContentPage, async ({ params, body, write }) =>
    presentContentPage(await write((tx) => store.updateContentPage(tx, params.id, body))),
  );

  route(app, pages.deleteContentPage, async ({ params, write }) => {
    await write(async (tx, note) => {
      const { slug, title } = await store.deleteContentPage(tx, params.id);
      note({ before: { slug, title } });
    });
    return { id: params.id };
  });
}

export function pageBackgroundRoutes(app: FastifyInstance, tools: UploadTools): void {
  route(app, background.readPageBackground, async () =>
    presentPageBackground(await store.findPageBackground(tools.db)),
  );

  route(app, background.savePageBackground, async ({ body: { expectedUpdatedAt, ...look }, write }) => {
    const saved = await write(async (tx) => {
      const before = await store.lockPageBackground(tx);
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      await requireImage(tx, look.backgroundImage);
      return store.updatePageBackground(tx, look);
    });
    return presentPageBackground(saved);
  });

  route(app, background.uploadPageBackground, async ({ file, write }) => storeUpload(tools, file, write), tools);
}

/** The settings in force, or the defaults: no image, opacity 30 %, blur 5 px. */
function presentPageBackground(row: store.PageBackgroundRow | undefined): background.PageBackground {
  if (!row) return { ...background.pageBackgroundDefaults, updatedAt: null };
  const { backgroundImage, opacity, blur, updatedAt } = row;
  return { backgroundImage, opacity, blur, updatedAt: updatedAt.toISOString() };
}

export function settingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const present = ({ reasons, updatedAt }: store.RejectReasonList) => ({
    reasons,
    updatedAt: updatedAt?.toISOString() ?? null,
  });

  route(app, settings.listRejectReasons, async () => present(await store.readRejectReasons(db)));

  route(app, settings.saveRejectReasons, async ({ body: { reasons, expectedUpdatedAt }, write }) => {
    const saved = await write(async (tx, note) => {
      const before = await store.lockRejectReasons(tx);
      if (isDeepStrictEqual(before.reasons, reasons)) {
        note({ unchanged: true });
        return before;
      }
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      note({ before: { count: before.reasons.length }, details: { count: reasons.length } });
      return store.replaceRejectReasons(tx, before, reasons);
    });
    return present(saved);
  });

  route(app, settings.readContact, async () => presentContact(await store.readContact(db)));

  route(app, settings.saveContact, async ({ body: { expectedUpdatedAt, ...contact }, write }) => {
    const saved = await write(async (tx, note) => {
      const stored = await store.lockContact(tx);
      const { updatedAt, ...before } = stored;
      if (updatedAt && isDeepStrictEqual(before, contact)) {
        note({ unchanged: true });
        return stored;
      }
      requireUnchanged(updatedAt, expectedUpdatedAt);
      note({ before, details: contact });
      return store.writeContact(tx, contact);
    });
    return presentContact(saved);
  });
}

const presentContact = ({ updatedAt, ...contact }: store.ContactRow): settings.Contact => ({
  ...contact,
  updatedAt: updatedAt?.toISOString() ?? null,
});
