import * as z from 'zod/mini';
import { codeProblems } from './dialling.ts';
import { endpoint } from './endpoint.ts';
import { maximumAmount } from './money.ts';
import {
  askedInstant,
  component,
  count,
  documented,
  freeText,
  id,
  idInPath,
  idParams,
  instant,
  level,
  listOf,
  listQuery,
  maximumLevel,
  searchUpTo,
  text,
  timeZone,
  words,
} from './shapes.ts';
import { plain } from './spelling.ts';

export const ticketStatuses = ['pending', 'approved', 'rejected'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];
/** Characters of a reject reason: it fits two SMS. */
export const rejectReasonLength = 300;

/** Characters of a payment reference; operators send about twenty. */
export const paymentReferenceLength = 40;
/** Maximum replacements of a reference; earlier ones are kept. */
export const referencesReplacedAtMost = 5;
/** The maximum count of other tickets with the same reference. */
export const referenceUsesAtMost = 100;

const status = component('TicketStatus', z.enum(ticketStatuses));

/** A service of the path, as it was when the ticket was created. */
export const pathStep = component('PathStep', z.object({ id, name: words(), price: z.nullable(words()), level }));
export type PathStep = z.output<typeof pathStep>;

export const ticket = component(
  'Ticket',
  z.object({
    id,
    userId: documented(z.nullable(id), { description: 'Null once the user is deleted.' }),
    serviceId: documented(z.nullable(id), { description: 'Null once the service is deleted.' }),
    status,
    numberOfBeneficiaries: count,
    paymentTypeId: z.nullable(id),
    paymentTypeName: words(),
    totalPrice: documented(words(), { description: 'Amount plus commission in CFA francs, as digits.' }),
    amount: documented(z.int().check(z.gte(0)), { description: 'CFA francs, before commission.' }),
    commission: documented(z.int().check(z.gte(0)), { description: 'CFA francs.' }),
    servicePath: z.array(pathStep),
    beneficiaryPhoneNumber: documented(words(), { description: 'E.164.' }),
    dialCode: documented(z.nullable(words()), { description: 'The USSD code, or number, to dial to pay.' }),
    dialOperator: documented(z.nullable(words()), {
      description: 'The operator whose SIM knows the code; null where that is unknown.',
    }),
    codeReportedAt: documented(z.nullable(instant), { description: 'When its user said that the code does not work.' }),
    rejectReason: documented(z.nullable(words()), { description: 'Why it was rejected; the user reads it.' }),
    paymentReference: documented(z.nullable(words()), {
      description: 'The transaction that its user says they paid by: capitals, digits, `.`, `/`, `_` and `-`.',
    }),
    paymentDeclaredAt: documented(z.nullable(instant), {
      description: 'When its user first said that they paid; only an administrator confirms it.',
    }),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type Ticket = z.output<typeof ticket>;

export const ticketOwner = component(
  'TicketOwner',
  z.object({
    id,
    firstName: words(),
    lastName: words(),
    phone: words(),
    email: z.nullable(words()),
  }),
);

export const adminTicket = component(
  'AdminTicket',
  z.extend(ticket, {
    user: z.nullable(ticketOwner),
    payerPhone: documented(z.nullable(words()), {
      description: 'The number that its user says they paid from, in E.164.',
    }),
    paymentReferenceUses: documented(count, {
      description: `The number of other tickets with the same payment reference, ignoring punctuation, counted up to ${referenceUsesAtMost}.`,
    }),
  }),
);
export type AdminTicket = z.output<typeof adminTicket>;

const servicePath = documented(
  z.pipe(
    z.transform((value: unknown) => {
      if (typeof value !== 'string') return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        return value;
      }
    }),
    listOf(z.object({ id }), { min: 1, max: maximumLevel }, 'Le service est requis.'),
  ),
  {
    description: 'From the root to the final service; also taken as a JSON text.',
    input: {
      anyOf: [
        {
          type: 'array',
          minItems: 1,
          maxItems: maximumLevel,
          items: {
            type: 'object',
            properties: { id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
            required: ['id'],
          },
        },
        { type: 'string', contentMediaType: 'application/json' },
      ],
    },
  },
);

/** Digits, or a number; spaces and a currency after it are accepted. */
const totalPrice = documented(
  z.pipe(
    z.union([freeText(40), z.number()]),
    z.pipe(
      z.transform((value: string | number) => {
        const digits = String(value)
          .replace(/\s/g, '')
          .replace(/(?:F?CFA|F)$/, '');
        return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
      }),
      z.int('Le total doit être un nombre entier de francs CFA.').check(z.gte(0), z.lte(2 * maximumAmount)),
    ),
  ),
  {
    description: 'The total in CFA francs that the person agreed to.',
    input: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 2 * maximumAmount },
        { type: 'string', maxLength: 40 },
      ],
    },
  },
);

export const createTicket = endpoint('createTicket', 'POST', '/api/tickets', {
  access: 'verified',
  summary: 'Files an order as a ticket. The server owns price, commission, total, path and status.',
  idempotent: true,
  body: z.object({
    userId: z.optional(z.nullable(id)),
    serviceId: id,
    servicePath,
    beneficiaryPhoneNumber: text(40, 'Veuillez saisir le numéro du bénéficiaire.'),
    paymentTypeName: text(80, 'Type de paiement requis'),
    totalPrice,
    userPrice: documented(z.optional(z.nullable(z.int().check(z.gte(1), z.lte(maximumAmount)))), {
      description: 'CFA francs before commission, on services with a custom price.',
    }),
  }),
  response: ticket,
  status: 201,
  failures: [
    'PHONE_INVALID',
    'FORBIDDEN',
    'PRICE_CHANGED',
    'PATH_CHANGED',
    'SERVICE_UNAVAILABLE',
    'PAYMENT_TYPE_UNAVAILABLE',
    'PRICE_INVALID',
    'NOT_PAYABLE',
    'KEY_REUSED',
  ],
});

export const listUserTickets = endpoint('listUserTickets', 'GET', '/api/tickets/user/:userId', {
  access: 'verified',
  summary: "A user's own tickets, newest first.",
  params: z.object({ userId: idInPath }),
  query: z.object(listQuery),
  response: z.array(ticket),
  counted: true,
  failures: ['FORBIDDEN'],
  topics: ['user:{userId}:tickets'],
});

const ownTicketEvent = component(
  'OwnTicketEvent',
  z.object({ id, status, reason: z.nullable(words()), createdAt: instant }),
);

export const ownTicketDetail = component('OwnTicketDetail', z.extend(ticket, { events: z.array(ownTicketEvent) }));
export type OwnTicketDetail = z.output<typeof ownTicketDetail>;

export const readOwnTicket = endpoint('readOwnTicket', 'GET', '/api/tickets/:id', {
  access: 'verified',
  summary: "One of the caller's own tickets with its history, oldest event first.",
  params: idParams,
  response: ownTicketDetail,
  failures: ['TICKET_NOT_FOUND'],
  topics: ['user:{callerId}:tickets'],
});

/** Copied from an SMS: lower case and spaces are accepted. */
const typedReference = freeText(paymentReferenceLength).check(
  z.overwrite(plain),
  z.regex(
    /^(?:[./_\s-]*[A-Za-z0-9][A-Za-z0-9./_\s-]*)?$/,
    'La référence a des lettres, des chiffres, des points, des barres et des tirets seulement.',
  ),
);

export const paymentDeclaration = z.object({
  reference: z.optional(z.nullable(typedReference)),
  payerPhone: documented(z.optional(z.nullable(freeText(40))), { description: 'The number that they paid from.' }),
});

export const declarePayment = endpoint('declarePayment', 'POST', '/api/tickets/:id/payment-declaration', {
  access: 'verified',
  summary:
    'Says that the caller has paid a pending ticket of theirs, and by which transaction. Its status stays; repeating it changes nothing.',
  params: idParams,
  body: paymentDeclaration,
  response: ticket,
  failures: ['TICKET_NOT_FOUND', 'TICKET_DECIDED', 'REFERENCE_SETTLED', 'PHONE_INVALID'],
});

export const reportCode = endpoint('reportCode', 'POST', '/api/tickets/:id/code-report', {
  access: 'verified',
  summary:
    'Says that the code of a pending ticket of the caller does not work. Once a ticket: repeating it changes nothing.',
  params: idParams,
  body: z.object({ reason: z.enum(codeProblems) }),
  response: ticket,
  failures: ['TICKET_NOT_FOUND', 'CODE_REPORT_CLOSED'],
});

/** Characters of a search among tickets: an SMS of three parts can be pasted. */
export const ticketSearchLength = 459;
const ticketFilter = {
  search: documented(searchUpTo(ticketSearchLength), {
    description:
      'Part of the number, of a name of the path, or of the name or e-mail address of its user. Also the last digits of its two phone numbers, its total, its payment reference or six signs of it in a row, or an SMS with some of these.',
  }),
  status: z.optional(status),
  from: documented(z.optional(askedInstant), { description: 'Filed at this instant or later.' }),
  to: documented(z.optional(askedInstant), { description: 'Filed at this instant or before.' }),
  userId: z.optional(idInPath),
};

export const listTickets = endpoint('listTickets', 'GET', '/api/admin/tickets', {
  access: 'admin',
  summary: 'All tickets with their users, newest first unless `order` is `oldest`; `from` and `to` are instants.',
  query: z.object({ ...listQuery, ...ticketFilter, order: z.optional(z.enum(['newest', 'oldest'])) }),
  response: z.array(adminTicket),
  counted: true,
  topics: ['tickets', 'user-names'],
});

export const exportTickets = endpoint('exportTickets', 'GET', '/api/admin/ticket-export', {
  access: 'admin',
  summary: 'The filtered tickets as an Excel file, newest first, with dates in the given time zone.',
  query: z.object({ ...ticketFilter, timeZone }),
  download: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  response: z.any(),
  counted: true,
  failures: ['EXPORT_BUSY', 'NOTHING_TO_EXPORT'],
  topics: ['tickets', 'user-names'],
  audit: { title: 'Tickets exportés', fields: [] },
});

/** The usual time is the median of this many decisions at most. */
export const decisionsMeasured = 200;
/** Days back from which these decisions come. */
export const decisionsMeasuredDays = 7;
/** With fewer decisions there is no usual time. */
export const decisionsMeasuredAtLeast = 20;

export const readDecisionTime = endpoint('readDecisionTime', 'GET', '/api/decision-time', {
  access: 'anyone',
  summary: `The usual time from filing to the first decision: the median of the last ${decisionsMeasured} tickets decided within ${decisionsMeasuredDays} days.`,
  response: z.object({
    seconds: documented(z.nullable(count), {
      description: `Null below ${decisionsMeasuredAtLeast} decided tickets.`,
    }),
  }),
  topics: ['tickets'],
});

export const countPendingTickets = endpoint('countPendingTickets', 'GET', '/api/admin/pending-tickets', {
  access: 'admin',
  summary: 'How many tickets wait for a decision.',
  response: z.object({ count }),
  topics: ['tickets'],
});

export const ticketEvent = component(
  'TicketEvent',
  z.object({
    id,
    status,
    reason: z.nullable(words()),
    actor: documented(z.nullable(z.object({ id, firstName: words(), lastName: words() })), {
      description: 'The actor; null once deleted.',
    }),
    createdAt: instant,
  }),
);

export const ticketDetail = component(
  'TicketDetail',
  z.extend(adminTicket, {
    earlierReferences: documented(z.array(words()), {
      description: 'Payment references that its user replaced, the first first.',
    }),
    events: z.array(ticketEvent),
  }),
);
export type TicketDetail = z.output<typeof ticketDetail>;

export const readTicket = endpoint('readTicket', 'GET', '/api/admin/tickets/:id', {
  access: 'admin',
  summary: 'One ticket with its user and its history, oldest event first.',
  params: idParams,
  response: ticketDetail,
  failures: ['TICKET_NOT_FOUND'],
  topics: ['tickets', 'user-names'],
});

const decision = z.enum(['approved', 'rejected']);
export type Decision = z.output<typeof decision>;
/** The reason of a rejection, shown to the user. */
const reason = z.optional(z.nullable(freeText(rejectReasonLength)));
const expectedStatus = documented(z.optional(status), {
  description: 'The status the administrator saw: another one by now answers 409.',
});

/** The line of an approved ticket: paired by this call, if it was sure, or before. */
const lineId = z.optional(id);

export const changeTicketStatus = endpoint('changeTicketStatus', 'PATCH', '/api/tickets/:id/status', {
  access: 'admin',
  summary:
    'Approves or rejects a ticket and notifies its user; repeating a status changes nothing. An approval pairs it with the payment line that surely pays it.',
  params: idParams,
  body: z.object({ status: decision, reason, expectedStatus }),
  response: component('DecidedTicket', z.extend(adminTicket, { lineId })),
  failures: ['TICKET_NOT_FOUND', 'STATUS_CHANGED'],
  audit: { title: 'Ticket décidé', about: 'ticket', fields: ['status', 'reason'] },
});

/** Tickets decided in one call; a page of the list shows as many. */
export const decisionsAtOnce = 100;

export type DecisionResult = z.output<typeof decisionResult>;
export const decisionResult = component(
  'DecisionResult',
  z.object({
    id,
    outcome: z.enum(['changed', 'unchanged', 'refused']),
    /** The reason of the refusal, in French. */
    message: z.optional(words()),
    lineId,
  }),
);

export const decideTickets = endpoint('decideTickets', 'POST', '/api/admin/ticket-decisions', {
  access: 'admin',
  summary: 'Approves or rejects many tickets independently: a refusal does not affect the others.',
  body: z.object({
    tickets: listOf(z.object({ id, expectedStatus }), { min: 1, max: decisionsAtOnce }),
    status: decision,
    reason,
  }),
  response: z.object({ results: z.array(decisionResult) }),
  audit: { title: 'Ticket décidé', about: 'ticket', fields: ['status', 'reason'] },
});
