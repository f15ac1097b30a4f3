import type { AdminTicket, Ticket } from '#contract/tickets.ts';
import type { TicketRow, TicketWithOwner } from './store.ts';

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
