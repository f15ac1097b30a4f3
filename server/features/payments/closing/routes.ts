import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/closings.ts';
import type { Db } from '#server/database/connect.ts';
import { presentPayment } from '#server/features/payments/matching/present.ts';
import { exportTurns } from '#server/features/tickets/ticket-export.ts';
import { answerCount } from '#server/http/call-headers.ts';
import { route } from '#server/http/route.ts';
import { exportClosings } from './closing-sheet.ts';
import { listClosingLines, listClosings, readClosing, signClosing } from './closings.ts';

export function closingRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const beginExport = exportTurns();

  route(app, endpoints.readClosing, async ({ query }) => readClosing(db, query));

  route(app, endpoints.listClosingDays, async ({ query }) =>
    (await listClosings(db, query)).map(({ day, closing }) => ({ day, state: endpoints.stateOf(closing) })),
  );

  route(app, endpoints.listClosingLines, async ({ query, reply }) => {
    const { rows, count } = await listClosingLines(db, query);
    answerCount(reply, { total: count, capped: false });
    return rows.map(presentPayment);
  });

  route(app, endpoints.exportClosings, async ({ query, reply }) => {
    const done = beginExport();
    const { file, rows } = await exportClosings(db, query).finally(done);
    answerCount(reply, { total: rows, capped: false });
    return file;
  });

  route(app, endpoints.signClosing, async ({ body, caller, write }) =>
    signClosing(write, { ...body, actorId: caller.userId }),
  );
}
