import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/payments.ts';
import * as tickets from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { notify } from '#server/features/notifications/store.ts';
import { queuePush } from '#server/features/push/store.ts';
import { presentAdminTicket } from '#server/features/tickets/present.ts';
import { countReferenceUses, findTicketWithOwner } from '#server/features/tickets/store.ts';
import { answerCount } from '#server/http/call-headers.ts';
import { route } from '#server/http/route.ts';
import { approvePairs, decideTicket, decideTickets, requireFit } from './approve-payments.ts';
import { presentPayment } from './present.ts';
import * as store from './store.ts';

/** The lines of payments, and what a person does with one. */
export function paymentRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const readLine = async (from: Db, id: number) => presentPayment(await store.requireLine(from, id));

  route(app, endpoints.listPayments, async ({ query: { limit, cursor, ...search }, reply }) => {
    const { rows, count } = await store.listLines(db, search, { limit, cursor });
    answerCount(reply, count);
    return rows.map(presentPayment);
  });

  route(app, endpoints.matchPayment, async ({ params, body: { ticketId }, caller, write }) =>
    write(async (tx) => {
      const why = await requireFit(tx, { lineId: params.id, ticketId });
      await store.insertMatch(tx, { lineId: params.id, ticketId, ...why, decidedBy: caller.userId });
      return readLine(tx, params.id);
    }),
  );

  route(app, endpoints.unmatchPayment, async ({ params, caller, write }) =>
    write(async (tx, note) => {
      await store.lockLine(tx, params.id);
      const ticketId = await store.undoMatch(tx, params.id, caller.userId);
      note({ before: { ticket: ticketId } });
      const found = await findTicketWithOwner(tx, ticketId);
      if (!found) throw new Failure('TICKET_NOT_FOUND');
      return { payment: await readLine(tx, params.id), ticketId, ticketStatus: found.ticket.status };
    }),
  );

  route(app, endpoints.ignorePayment, async ({ params, body: { ignored }, write }) =>
    write(async (tx) => {
      const { ticketId } = await store.lockLine(tx, params.id);
      if (ticketId !== null) throw new Failure('PAYMENT_TAKEN');
      await store.setIgnored(tx, params.id, ignored);
      return readLine(tx, params.id);
    }),
  );

  route(app, endpoints.remindPayer, async ({ body: { ticketId }, write }) => {
    await write(async (tx, note) => {
      const found = await findTicketWithOwner(tx, ticketId);
      if (!found) throw new Failure('TICKET_NOT_FOUND');
      if (found.ticket.status !== 'pending') throw new Failure('TICKET_DECIDED');
      if (!(await store.noteReminder(tx, ticketId))) throw new Failure('REMINDED_TODAY');
      note({ target: ticketId });
      const { userId } = found.ticket;
      if (userId === null) return;
      const advice = found.ticket.paymentReference ? 'Vérifiez la référence déclarée.' : 'Indiquez-nous sa référence.';
      const message = `Nous n'avons pas encore trouvé le paiement de votre demande n°\u00a0${ticketId}. ${advice}`;
      await notify(tx, { userId, relatedTicketId: ticketId, type: 'warning', title: 'Paiement introuvable', message });
      await queuePush(tx, { userId, ticketId });
    });
    return { message: 'Personne relancée' };
  });
}

/** Decisions on tickets: here, and not beside the tickets' other calls, since an approval pairs, and payments come after tickets. */
export function decisionRoutes(app: FastifyInstance, tools: { db: Db; limited: boolean }): void {
  const { db } = tools;

  route(app, tickets.changeTicketStatus, async ({ params, body, caller, write }) => {
    const decided = await decideTicket(tools, write, { ...body, id: params.id, actorId: caller.userId });
    const { lineId } = decided;
    return { ...presentAdminTicket(decided, await countReferenceUses(db, [decided.ticket])), lineId };
  });

  route(app, tickets.decideTickets, async ({ body, caller, write }) => ({
    results: await decideTickets(tools, write, { ...body, actorId: caller.userId }),
  }));

  route(app, endpoints.approvePayments, async ({ body, caller, write }) => ({
    results: await approvePairs(tools, write, { ...body, actorId: caller.userId }),
  }));
}
