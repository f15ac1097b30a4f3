import type { FastifyInstance } from 'fastify';
import type { ResponseOf } from '#contract/endpoint.ts';
import * as endpoints from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import { presentAdminTicket } from '#server/features/tickets/present.ts';
import { countReferenceUses, findTicketsWithOwner } from '#server/features/tickets/store.ts';
import { route } from '#server/http/route.ts';
import type { Pairing } from './matching.ts';
import { presentPayment } from './present.ts';
import { isTicked, planOnce, proposeFor, readNewestProposals } from './read-proposals.ts';
import * as store from './store.ts';

export function proposalRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listProposals, async () => presentProposals(db));

  route(app, endpoints.countProposals, async () => {
    const [{ lines, sure }, { unread, oldest }] = await Promise.all([readNewestProposals(db), store.readUnread(db)]);
    const found = new Set(sure.map(({ lineId }) => lineId));
    const times = lines.flatMap(({ id, paidAt }) => (found.has(id) ? paidAt.getTime() : []));
    return {
      found: sure.length,
      oldestFound: times.length > 0 ? new Date(Math.min(...times)).toISOString() : null,
      unread,
      oldestUnread: oldest?.toISOString() ?? null,
    };
  });

  route(app, endpoints.readTicketPayment, async ({ params }) => {
    const match = await store.findMatch(db, params.id);
    if (match) {
      const line = presentPayment(await store.requireLine(db, match.lineId));
      return { payment: { ...match, line, doubts: [], isMatched: true, isSure: true } };
    }
    const [ticket] = await store.findOpenTickets(db, [params.id]);
    if (!ticket) return { payment: null };
    const { sure, doubtful } = await planOnce(db, (read) => proposeFor(read, [params.id]));
    const isOfTicket = ({ ticketId }: { ticketId: number }) => ticketId === params.id;
    const isSure = sure.some(isOfTicket);
    const proposed = sure.find(isOfTicket) ?? doubtful.find(isOfTicket);
    if (!proposed) return { payment: null };
    const line = presentPayment(await store.requireLine(db, proposed.lineId));
    return { payment: { ...proposed, line, isMatched: false, isSure } };
  });
}

/** The newest pairs with their lines and tickets, and what is in no pair. */
async function presentProposals(db: Db): Promise<ResponseOf<typeof endpoints.listProposals>> {
  const atOnce = endpoints.proposalsAtOnce;
  const [{ lines, sure, doubtful }, declared, { unread }] = await Promise.all([
    readNewestProposals(db),
    store.listUnpaid(db),
    store.readUnread(db),
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
}
