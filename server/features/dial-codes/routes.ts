import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/dial-codes.ts';
import { Failure } from '#contract/failure.ts';
import { reportCode as reportCodeEndpoint } from '#contract/tickets.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import {
  type DialTemplateRow,
  insertDialTemplate,
  listTemplatesOf,
  requirePaymentType,
} from '#server/features/payment-types/store.ts';
import { presentTicket } from '#server/features/tickets/present.ts';
import { findTicketOf, type TicketRow } from '#server/features/tickets/store.ts';
import { route } from '#server/http/route.ts';
import { dialCodeLimits } from '#server/process/limits.ts';
import * as store from './store.ts';

const present = (row: DialTemplateRow, reports = 0): endpoints.DialTemplate => ({
  ...row,
  reports,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
});

export function dialCodeRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, reportCodeEndpoint, async ({ params, body, caller }) =>
    presentTicket(await reportCode(db, { id: params.id, userId: caller.userId, reason: body.reason })),
  );

  route(app, endpoints.listDialTemplates, async ({ params }) => {
    await requirePaymentType(db, params.id);
    const reporters = await store.countReporters(db, params.id);
    return (await listTemplatesOf(db, params.id)).map((row) => present(row, reporters.get(row.id)));
  });

  route(app, endpoints.createDialTemplate, async ({ params, body, write }) =>
    present(
      await write(async (tx, note) => {
        await requirePaymentType(tx, params.id);
        const created = await insertDialTemplate(tx, { ...body, paymentTypeId: params.id });
        note({ details: { template: created.id } });
        return created;
      }),
    ),
  );

  route(app, endpoints.updateDialTemplate, async ({ params, body: { expectedUpdatedAt, ...body }, write }) =>
    present(
      await write(async (tx, note) => {
        const before = await store.lockTemplate(tx, params.templateId, params.id);
        requireUnchanged(before.updatedAt, expectedUpdatedAt);
        const { template, state, message } = before;
        note({ before: { template, state, message } });
        // A verification belongs to the tested code: a changed code must be verified again.
        const verifiedAt =
          body.state === 'verified' ? new Date() : body.template === template ? before.verifiedAt : null;
        return store.updateTemplate(tx, before.id, {
          ...body,
          message: body.state === 'broken' ? body.message || null : null,
          verifiedAt,
        });
      }),
    ),
  );

  route(app, endpoints.deleteDialTemplate, async ({ params, write }) => {
    await write(async (tx, note) => {
      const { id, country, template } = await store.lockTemplate(tx, params.templateId, params.id);
      note({ before: { country, template } });
      await store.deleteTemplate(tx, id);
    });
    return { id: params.templateId };
  });
}

/**
 * Records that a person's code does not work, once a ticket (P9.12). Enough people in a day mark a payment type's
 * template, which is one of the alarms. Throws TICKET_NOT_FOUND, CODE_REPORT_CLOSED.
 */
async function reportCode(
  db: Db,
  { id, userId, reason }: { id: number; userId: number; reason: endpoints.CodeProblem },
): Promise<TicketRow> {
  return db.transaction(async (tx) => {
    const ticket = await store.setCodeReported(tx, userId, id);
    if (!ticket) return requireReported(await findTicketOf(tx, userId, id));
    const found = await store.findReportedTemplate(tx, ticket);
    const dialTemplateId = found?.template.id ?? null;
    const serviceId = ticket.dialTemplateId === null ? ticket.serviceId : null;
    await store.insertReport(tx, { ticketId: id, reason, dialTemplateId, serviceId });
    if (found) {
      const { template } = found;
      const people = (await store.countReporters(tx, template.paymentTypeId)).get(template.id) ?? 0;
      if (people >= dialCodeLimits.peopleBeforeAlarm) await store.markReported(tx, template.id);
    }
    return ticket;
  });
}

function requireReported(ticket: TicketRow | undefined): TicketRow {
  if (!ticket) throw new Failure('TICKET_NOT_FOUND');
  if (!ticket.codeReportedAt) throw new Failure('CODE_REPORT_CLOSED');
  return ticket;
}
