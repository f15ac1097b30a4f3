import type { AdminTicket, Ticket, TicketDetail } from '#contract/tickets.ts';
import type { listTicketEvents, TicketRow, TicketWithOwner } from './store.ts';

/** A ticket as its own user sees it. */
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
    rejectReason: row.rejectReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A ticket as administrators see it, with its user. */
export function presentAdminTicket({ ticket, user }: TicketWithOwner): AdminTicket {
  return { ...presentTicket(ticket), user };
}

/** A ticket with what became of it. */
export function presentTicketDetail(
  found: TicketWithOwner,
  events: Awaited<ReturnType<typeof listTicketEvents>>,
): TicketDetail {
  return {
    ...presentAdminTicket(found),
    events: events.map(({ event, actor }) => ({
      id: event.id,
      status: event.status,
      reason: event.reason,
      actor,
      createdAt: event.createdAt.toISOString(),
    })),
  };
}
