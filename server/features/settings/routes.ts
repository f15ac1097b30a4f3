import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/settings.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { presentRejectReasons } from './present.ts';
import { saveRejectReasons } from './save-reject-reasons.ts';
import { readRejectReasons } from './store.ts';

export function settingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listRejectReasons, async () => presentRejectReasons(await readRejectReasons(db)));

  route(app, endpoints.saveRejectReasons, async ({ body, write }) =>
    presentRejectReasons(await saveRejectReasons(write, body)),
  );
}
