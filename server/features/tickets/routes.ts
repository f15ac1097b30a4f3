import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { requireSelfOrAdmin } from '#server/http/guards.ts';
import { route } from '#server/http/route.ts';
import { changeStatus } from './change-status.ts';
import { createTicket } from './create-ticket.ts';
import { listTickets, listUserTickets, presentTicket } from './store.ts';

export function ticketRoutes(app: FastifyInstance, tools: { db: Db; limited: boolean }): void {
  const { db } = tools;

  route(app, endpoints.createTicket, async ({ body, visitor, request }) =>
    presentTicket(await createTicket(tools, visitor, body, idempotencyKey(request))),
  );

  route(app, endpoints.listUserTickets, async ({ params, query, visitor, reply }) => {
    requireSelfOrAdmin(visitor, params.userId);
    const { rows, total } = await listUserTickets(db, { ...query, userId: params.userId });
    reply.header('x-total-count', total);
    return rows;
  });

  route(app, endpoints.listTickets, async ({ query, reply }) => {
    const { rows, total } = await listTickets(db, query);
    reply.header('x-total-count', total);
    return rows;
  });

  route(app, endpoints.changeTicketStatus, async ({ params, body, visitor }) =>
    changeStatus(db, { ...body, id: params.id, actorId: visitor.userId }),
  );
}

/** The key's form is free; 255 characters are what other APIs take at most. Throws INVALID. */
function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Failure('INVALID', { message: 'Idempotency-Key : 1 à 255 caractères visibles.' });
  return key;
}
