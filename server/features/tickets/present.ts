import type { AdminTicket, OwnTicketDetail, Ticket, TicketDetail } from '#contract/tickets.ts';
import type { listTicketEvents, TicketRow, TicketWithOwner } from './store.ts';

export function presentTicket(row: TicketRow): Ticket {
  return {
    id: row.id,
    userId: row.userId,
    serviceId: row.serviceId,
    status: row.status,
    numberOfBeneficiaries: row.numberOfBeneficiaries,
    paymentTypeId: row.paymentTypeId,
    paymentTypeName: row.paymentTypeName,
    totalPrice: row.totalPrice,
    amount: row.amount,
    commission: row.commission,
    servicePath: row.servicePath,
    beneficiaryPhoneNumber: row.beneficiaryPhoneNumber,
    dialCode: row.dialCode,
    dialOperator: row.dialOperator,
    codeReportedAt: row.codeReportedAt?.toISOString() ?? null,
    rejectReason: row.rejectReason,
    paymentReference: row.paymentReference,
    paymentDeclaredAt: row.paymentDeclaredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

type Events = Awaited<ReturnType<typeof listTicketEvents>>;

/** A ticket with its history for its own user, without the actors. */
export function presentOwnTicket(row: TicketRow, events: Events): OwnTicketDetail {
  return { ...presentTicket(row), events: events.map(({ event }) => presentEvent(event)) };
}

/** A ticket for administrators, with its user. `uses` counts other tickets with its payment reference, by id. */
export function presentAdminTicket({ ticket, user }: TicketWithOwner, uses: ReadonlyMap<number, number>): AdminTicket {
  const { payerPhone } = ticket;
  return { ...presentTicket(ticket), user, payerPhone, paymentReferenceUses: uses.get(ticket.id) ?? 0 };
}

/** A ticket with its history, for administrators. */
export function presentTicketDetail(
  found: TicketWithOwner,
  uses: ReadonlyMap<number, number>,
  events: Events,
): TicketDetail {
  return {
    ...presentAdminTicket(found, uses),
    earlierReferences: found.ticket.earlierReferences,
    events: events.map(({ event, actor }) => ({ ...presentEvent(event), actor })),
  };
}

function presentEvent({ id, status, reason, createdAt }: Events[number]['event']) {
  return { id, status, reason, createdAt: createdAt.toISOString() };
}
