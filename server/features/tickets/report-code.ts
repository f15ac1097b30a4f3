import type { CodeProblem } from '#contract/dialling.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { countReporters } from '#server/features/payment-types/dial-templates-store.ts';
import { dialCodeLimits } from '#server/features/payment-types/limits.ts';
import * as store from './code-reports-store.ts';
import { findTicketOf, type TicketRow } from './store.ts';

/**
 * Records that a person's code does not work, once a ticket (P9.12). Enough people in a day mark a payment type's
 * template, which is one of the alarms. Throws TICKET_NOT_FOUND, CODE_REPORT_CLOSED.
 */
export async function reportCode(
  db: Db,
  { id, userId, reason }: { id: number; userId: number; reason: CodeProblem },
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
      const people = (await countReporters(tx, template.paymentTypeId)).get(template.id) ?? 0;
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
