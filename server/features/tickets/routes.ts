import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { answerCount, idempotencyKey } from '#server/http/call-headers.ts';
import { requireSelfOrAdmin } from '#server/http/guards.ts';
import { route } from '#server/http/route.ts';
import { createTicket } from './create-ticket.ts';
import { declarePayment } from './declare-payment.ts';
import { presentAdminTicket, presentOwnTicket, presentTicket, presentTicketDetail } from './present.ts';
import { reportCode } from './report-code.ts';
import {
  countReferenceUses,
  findTicketOf,
  findTicketWithOwner,
  listTicketEvents,
  listUserTickets,
  readDecisionTime,
} from './store.ts';
import { readTicketTally } from './tallies-store.ts';
import { ticketExporter } from './ticket-export.ts';
import { searchTickets } from './ticket-search.ts';

interface TicketTools {
  db: Db;
  pool: pg.Pool;
  limited: boolean;
  refusesExamples: boolean;
}

export function ticketRoutes(app: FastifyInstance, tools: TicketTools): void {
  const { db } = tools;

  route(app, endpoints.createTicket, async ({ body, caller, request }) =>
    presentTicket(await createTicket(tools, caller, body, idempotencyKey(request))),
  );

  route(
    app,
    endpoints.listUserTickets,
    async ({ params, query, caller, reply }) => {
      requireSelfOrAdmin(caller, params.userId);
      const { rows, count } = await listUserTickets(db, params.userId, query);
      answerCount(reply, count);
      return rows.map(presentTicket);
    },
    { skipResponseEncoding: true },
  );

  route(app, endpoints.readOwnTicket, async ({ params, caller }) => {
    const ticket = await findTicketOf(db, caller.userId, params.id);
    if (!ticket) throw new Failure('TICKET_NOT_FOUND');
    return presentOwnTicket(ticket, await listTicketEvents(db, ticket.id));
  });

  route(app, endpoints.declarePayment, async ({ params, body, caller }) =>
    presentTicket(
      await declarePayment(db, { ...body, id: params.id, userId: caller.userId, countryCode: caller.countryCode }),
    ),
  );

  route(app, endpoints.reportCode, async ({ params, body, caller }) =>
    presentTicket(await reportCode(db, { id: params.id, userId: caller.userId, reason: body.reason })),
  );

  route(app, endpoints.readDecisionTime, async () => ({ seconds: await readDecisionTime(db) }));
  adminTicketRoutes(app, tools);
}

/** The list, its export, and the reads that follow it. */
function adminTicketRoutes(app: FastifyInstance, tools: TicketTools): void {
  const { db } = tools;
  const openExport = ticketExporter(tools);

  route(
    app,
    endpoints.listTickets,
    async ({ query: { limit, before, order, ...search }, reply }) => {
      const { rows, count } = await searchTickets(db, search, { limit, before, order });
      answerCount(reply, count);
      const uses = await countReferenceUses(
        db,
        rows.map(({ ticket }) => ticket),
      );
      return rows.map((row) => presentAdminTicket(row, uses));
    },
    { skipResponseEncoding: true },
  );

  route(app, endpoints.exportTickets, async ({ query: { timeZone, ...search }, reply }) => {
    const { file, rows } = await openExport(search, timeZone);
    answerCount(reply, { total: rows, capped: false });
    return file;
  });

  route(app, endpoints.countPendingTickets, async () => ({ count: (await readTicketTally(db)).pending }), {
    skipResponseEncoding: true,
  });

  route(app, endpoints.readTicket, async ({ params }) => {
    const found = await findTicketWithOwner(db, params.id);
    if (!found) throw new Failure('TICKET_NOT_FOUND');
    const uses = await countReferenceUses(db, [found.ticket]);
    return presentTicketDetail(found, uses, await listTicketEvents(db, params.id));
  });
}
