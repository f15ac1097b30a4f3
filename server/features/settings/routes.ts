import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/settings.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { saveRejectReasons } from './save-reject-reasons.ts';
import { listRejectReasons } from './store.ts';

export function settingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listRejectReasons, async () => ({ reasons: await listRejectReasons(db) }));

  route(app, endpoints.saveRejectReasons, async ({ body, write }) => {
    await saveRejectReasons(write, body.reasons);
    return body;
  });
}
