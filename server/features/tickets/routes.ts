import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idempotencyKeyForm, idempotencyKeyLength } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import * as endpoints from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { requireSelfOrAdmin } from '#server/http/guards.ts';
import { route } from '#server/http/route.ts';
import { changeTicketStatus } from './change-ticket-status.ts';
import { createTicket } from './create-ticket.ts';
import { presentAdminTicket, presentTicket } from './present.ts';
import { listTickets, listUserTickets } from './store.ts';

export function ticketRoutes(app: FastifyInstance, tools: { db: Db; limited: boolean }): void {
  const { db } = tools;

  route(app, endpoints.createTicket, async ({ body, caller, request }) =>
    presentTicket(await createTicket(tools, caller, body, idempotencyKey(request))),
  );

  route(app, endpoints.listUserTickets, async ({ params, query, caller, reply }) => {
    requireSelfOrAdmin(caller, params.userId);
    const { rows, total } = await listUserTickets(db, { ...query, userId: params.userId });
    reply.header('x-total-count', total);
    return rows.map(presentTicket);
  });

  route(app, endpoints.listTickets, async ({ query, reply }) => {
    const { rows, total } = await listTickets(db, query);
    reply.header('x-total-count', total);
    return rows.map(presentAdminTicket);
  });

  route(app, endpoints.changeTicketStatus, async ({ params, body, caller, write }) =>
    presentAdminTicket(await changeTicketStatus(write, { ...body, id: params.id, actorId: caller.userId })),
  );
}

/** The key's form is free. Throws INVALID. */
function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKeyForm.test(key))
    throw new Failure('INVALID', { message: failureSentences.idempotencyKey(idempotencyKeyLength) });
  return key;
}
