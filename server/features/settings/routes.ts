import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/settings.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { saveRejectReasons } from './save-reject-reasons.ts';
import { type RejectReasonList, readRejectReasons } from './store.ts';

export function settingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const present = ({ reasons, updatedAt }: RejectReasonList) => ({
    reasons,
    updatedAt: updatedAt?.toISOString() ?? null,
  });

  route(app, endpoints.listRejectReasons, async () => present(await readRejectReasons(db)));

  route(app, endpoints.saveRejectReasons, async ({ body, write }) => present(await saveRejectReasons(write, body)));
}
