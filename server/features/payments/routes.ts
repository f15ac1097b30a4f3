import type { FastifyInstance } from 'fastify';
import * as closings from '#contract/closings.ts';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/payments.ts';
import * as tickets from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { notify } from '#server/features/notifications/store.ts';
import { bitOf } from '#server/features/payment-feed/lines.ts';
import { queuePush } from '#server/features/push/store.ts';
import { presentAdminTicket } from '#server/features/tickets/present.ts';
import { countReferenceUses, findTicketsWithOwner, findTicketWithOwner } from '#server/features/tickets/store.ts';
import { exportTurns } from '#server/features/tickets/ticket-export.ts';
import { answerCount, route } from '#server/http/route.ts';
import { approvePairs, decideTicket, decideTickets, requireFit } from './approve-payments.ts';
import { exportClosings } from './closing-sheet.ts';
import { listClosingLines, readClosing, signClosing } from './closings.ts';
import type { Pairing } from './matching.ts';
import { isTicked, proposeFor, readNewestProposals } from './read-proposals.ts';
import * as store from './store.ts';

export function paymentRoutes(app: FastifyInstance, tools: { db: Db; limited: boolean }): void {
  const { db } = tools;
  const beginExport = exportTurns();

  const readLine = async (from: Db, id: number) => presentPayment(await store.requireLine(from, id));

  route(app, endpoints.listPayments, async ({ query: { limit, cursor, ...search }, reply }) => {
    const { rows, count } = await store.listLines(db, search, { limit, cursor });
    answerCount(reply, count);
    return rows.map(presentPayment);
  });

  route(app, endpoints.listProposals, async () => {
    const atOnce = endpoints.proposalsAtOnce;
    const [{ lines, sure, doubtful }, declared, unread] = await Promise.all([
      readNewestProposals(db),
      store.listUnpaid(db),
      store.countUnread(db),
    ]);
    // A line with only some of its candidates would mislead, so it is left out.
    const cut = doubtful[atOnce]?.lineId;
    const shown = {
      sure: sure.slice(0, atOnce),
      doubtful: doubtful.slice(0, atOnce).filter(({ lineId }) => lineId !== cut),
    };
    const all = [...shown.sure, ...shown.doubtful];
    const paired = new Set([...sure, ...doubtful].map(({ lineId }) => lineId));
    const alone = lines.filter(({ id }) => !paired.has(id)).slice(0, atOnce);
    const proposed = new Set([...sure, ...doubtful].map(({ ticketId }) => ticketId));
    const unpaid = declared.filter((id) => !proposed.has(id));
    const ticketIds = new Set([...all.map(({ ticketId }) => ticketId), ...unpaid]);
    const [found, rows] = await Promise.all([
      findTicketsWithOwner(db, [...ticketIds]),
      store.findLines(db, new Set([...all.map(({ lineId }) => lineId), ...alone.map(({ id }) => id)])),
    ]);
    const uses = await countReferenceUses(
      db,
      found.map(({ ticket }) => ticket),
    );
    const presented = new Map(found.map((each) => [each.ticket.id, presentAdminTicket(each, uses)]));
    const expand = (preTicked: (pair: Pairing) => boolean) => (pair: Pairing) => {
      const { lineId, ticketId, ...why } = pair;
      const [line, ticket] = [rows.get(lineId), presented.get(ticketId)];
      return line && ticket ? [{ line: presentPayment(line), ticket, ...why, preTicked: preTicked(pair) }] : [];
    };
    return {
      sure: shown.sure.flatMap(expand(isTicked)),
      doubtful: shown.doubtful.flatMap(expand(() => false)),
      withoutTicket: alone.flatMap(({ id }) => rows.get(id) ?? []).map(presentPayment),
      withoutPayment: unpaid.flatMap((id) => presented.get(id) ?? []),
      unread,
    };
  });

  route(app, endpoints.countProposals, async () => ({
    found: (await readNewestProposals(db)).sure.length,
    unread: await store.countUnread(db),
  }));

  route(app, endpoints.readTicketPayment, async ({ params }) => {
    const match = await store.findMatch(db, params.id);
    if (match) {
      const line = await readLine(db, match.lineId);
      return { payment: { ...match, line, doubts: [], isMatched: true, isSure: true } };
    }
    const [ticket] = await store.findOpenTickets(db, [params.id]);
    if (!ticket) return { payment: null };
    const { sure, doubtful } = await proposeFor(db, [params.id]);
    const isOfTicket = ({ ticketId }: { ticketId: number }) => ticketId === params.id;
    const isSure = sure.some(isOfTicket);
    const proposed = sure.find(isOfTicket) ?? doubtful.find(isOfTicket);
    if (!proposed) return { payment: null };
    return { payment: { ...proposed, line: await readLine(db, proposed.lineId), isMatched: false, isSure } };
  });

  // Here instead of in tickets, since an approval pairs lines, and payments are the later slice.
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

  route(app, closings.readClosing, async ({ query }) => readClosing(db, query));

  route(app, closings.listClosingLines, async ({ query, reply }) => {
    const { rows, count } = await listClosingLines(db, query);
    answerCount(reply, { total: count, capped: false });
    return rows.map(presentPayment);
  });

  route(app, closings.exportClosings, async ({ query, reply }) => {
    const done = beginExport();
    const { file, rows } = await exportClosings(db, query).finally(done);
    answerCount(reply, { total: rows, capped: false });
    return file;
  });

  route(app, closings.signClosing, async ({ body, caller, write }) =>
    signClosing(write, { ...body, actorId: caller.userId }),
  );
}

const presentPayment = ({ seenIn, paidAt, ...line }: store.LineRow): endpoints.Payment => ({
  ...line,
  paidAt: paidAt.toISOString(),
  inputs: endpoints.paymentInputs.filter((input) => (seenIn & bitOf(input)) !== 0),
});
