import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/content-pages.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import {
  type ContentPageRow,
  createContentPage,
  deleteContentPage,
  listContentPages,
  requireActivePage,
  updateContentPage,
} from './store.ts';

const presentContentPage = (row: ContentPageRow): endpoints.ContentPage => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export function contentPageRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.readContentPage, async ({ params }) =>
    presentContentPage(await requireActivePage(db, params.slug)),
  );

  route(app, endpoints.listContentPages, async () => (await listContentPages(db)).map(presentContentPage));

  route(app, endpoints.createContentPage, async ({ body, write }) =>
    presentContentPage(
      await write(async (tx, note) => {
        const created = await createContentPage(tx, body);
        note({ target: created.id });
        return created;
      }),
    ),
  );

  route(app, endpoints.updateContentPage, async ({ params, body, write }) =>
    presentContentPage(await write((tx) => updateContentPage(tx, params.id, body))),
  );

  route(app, endpoints.deleteContentPage, async ({ params, write }) => {
    await write(async (tx, note) => {
      const { slug, title } = await deleteContentPage(tx, params.id);
      note({ before: { slug, title } });
    });
    return { id: params.id };
  });
}
