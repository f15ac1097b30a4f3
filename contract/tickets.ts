import * as z from 'zod/mini';
import { endpoint, id, idInPath, idParams, instant, listQuery, searchQuery, text } from './endpoint.ts';
import { maximumAmount } from './money.ts';

export const ticketStatuses = ['pending', 'approved', 'rejected'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];
const status = z.enum(ticketStatuses);

/** A service as it stood on the path when the ticket was made. */
export const pathStep = z.object({ id, name: z.string(), price: z.nullable(z.string()), level: z.number() });
export type PathStep = z.output<typeof pathStep>;

export const ticket = z.object({
  id,
  userId: z.nullable(id),
  serviceId: z.nullable(id),
  status,
  numberOfBeneficiaries: z.number(),
  paymentTypeId: z.nullable(id),
  paymentTypeName: z.string(),
  /** Digits, in CFA francs. */
  totalPrice: z.string(),
  amount: z.number(),
  commission: z.number(),
  servicePath: z.array(pathStep),
  beneficiaryPhoneNumber: z.string(),
  dialCode: z.nullable(z.string()),
  rejectReason: z.nullable(z.string()),
  createdAt: instant,
  updatedAt: instant,
});
export type Ticket = z.output<typeof ticket>;

export const ticketOwner = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  email: z.nullable(z.string()),
});

export const adminTicket = z.extend(ticket, { user: z.nullable(ticketOwner) });
export type AdminTicket = z.output<typeof adminTicket>;

const servicePath = z.pipe(
  z.transform((value: unknown) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }),
  z.array(z.object({ id })).check(z.minLength(1, 'Le service est requis.'), z.maxLength(5)),
);

/** Digits, or a number; spaces and a currency after it are forgiven. */
const totalPrice = z.pipe(
  z.union([z.string().check(z.maxLength(40)), z.number()]),
  z.pipe(
    z.transform((value: string | number) => {
      const digits = String(value)
        .replace(/\s/g, '')
        .replace(/(?:F?CFA|F)$/, '');
      return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
    }),
    z.int('Le total doit être un nombre entier de francs CFA.').check(z.gte(0), z.lte(2 * maximumAmount)),
  ),
);

export const createTicket = endpoint({
  method: 'POST',
  path: '/api/tickets',
  caller: 'verified',
  summary: 'Files a request. The server owns price, commission, total, path and status.',
  idempotent: true,
  body: z.object({
    userId: z.optional(z.nullable(id)),
    serviceId: id,
    servicePath,
    beneficiaryPhoneNumber: text(40, 'Veuillez saisir le numéro du bénéficiaire.'),
    paymentTypeName: text(80, 'Type de paiement requis'),
    totalPrice,
    /** CFA francs before commission, on services with a custom price. */
    userPrice: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(maximumAmount)))),
  }),
  response: ticket,
  status: 201,
});

export const listUserTickets = endpoint({
  method: 'GET',
  path: '/api/tickets/user/:userId',
  caller: 'verified',
  summary: "A user's own tickets, newest first.",
  params: z.object({ userId: idInPath }),
  query: z.object(listQuery),
  response: z.array(ticket),
});

export const listTickets = endpoint({
  method: 'GET',
  path: '/api/admin/tickets',
  caller: 'admin',
  summary: 'All tickets, newest first, with their users; `from` and `to` are instants.',
  query: z.object({
    ...listQuery,
    search: searchQuery,
    status: z.optional(status),
    from: z.optional(z.iso.datetime({ offset: true })),
    to: z.optional(z.iso.datetime({ offset: true })),
    userId: z.optional(idInPath),
  }),
  response: z.array(adminTicket),
});

export const changeTicketStatus = endpoint({
  method: 'PATCH',
  path: '/api/tickets/:id/status',
  caller: 'admin',
  summary: 'Approves or rejects a ticket and notifies its user; repeating a status changes nothing.',
  params: idParams,
  body: z.object({
    status: z.enum(['approved', 'rejected']),
    /** Shown to the user when the ticket is rejected. */
    reason: z.optional(
      z.nullable(
        z.string().check(
          z.trim(),
          z.maxLength(300),
          z.refine((value) => !value.includes('\0')),
        ),
      ),
    ),
    /** The status the administrator saw: another one by now answers 409. */
    expectedStatus: z.optional(status),
  }),
  response: adminTicket,
});
