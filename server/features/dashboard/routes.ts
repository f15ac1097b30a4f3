import type { FastifyInstance } from 'fastify';
import { readDashboard as endpoint } from '#contract/dashboard.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { readDashboard } from './read-dashboard.ts';

export function dashboardRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoint, async ({ query }) => readDashboard(db, query.timeZone));
}
