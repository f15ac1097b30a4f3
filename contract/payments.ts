import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maximumAmount } from './money.ts';
import {
  askedInstant,
  component,
  count,
  documented,
  done,
  freeText,
  id,
  idInPath,
  idParams,
  instant,
  listOf,
  listQuery,
  searchQuery,
  verbatim,
  words,
} from './shapes.ts';
import { adminTicket } from './tickets.ts';

/** The direction of a movement: received, paid out, a mere fee, or taken back. */
export const paymentDirections = ['in', 'out', 'fee', 'reversal'] as const;
export type PaymentDirection = (typeof paymentDirections)[number];

/** A line is announced by an SMS, and settled by a statement or the wallet's server. A state only advances. */
export const lineStates = ['announced', 'settled', 'failed', 'reversed'] as const;
export type LineState = (typeof lineStates)[number];

export const paymentInputs = ['sms', 'paste', 'wave', 'file', 'person'] as const;
export type PaymentInput = (typeof paymentInputs)[number];

/**
 * Why a line pays a ticket. R0: the payer typed the ticket's number. R1: the declared reference. R2: the payer's number and the amount.
 * R2b: as many lines as tickets of one payer. R3: the reference with another amount. R4: only amount and time. `person`: an administrator
 * paired them without a rule.
 */
export const matchRules = ['R0', 'R1', 'R2', 'R2b', 'R3', 'R4', 'person'] as const;
export type MatchRule = (typeof matchRules)[number];

/** Characters of a message, pasted or forwarded: ten long SMS and a margin. */
export const messageLength = 10_000;
export const messagesAtOnce = 200;
export const pastedLength = 100_000;

const direction = z.enum(paymentDirections);
const gross = documented(count, { description: 'CFA francs, the fee included: what the payer paid.' });
const toldHundredths = documented(z.optional(z.int()), { description: 'Hundredths of a franc.' });
const hundredths = documented(z.nullable(z.int()), { description: 'Hundredths of a franc.' });

export const readMessage = component(
  'ReadMessage',
  z.object({
    kind: z.enum(['payment', 'ignored', 'unread']),
    why: documented(z.optional(words()), { description: 'Why it is no payment, in French.' }),
    operator: z.optional(words()),
    direction: z.optional(direction),
    gross: z.optional(gross),
    fee: toldHundredths,
    balanceAfter: toldHundredths,
    reference: z.optional(words()),
    ourReference: documented(z.optional(id), { description: 'The number of our ticket, as the payer typed it.' }),
    payer: documented(z.optional(words()), { description: 'E.164, or the last digits.' }),
    paidAt: z.optional(instant),
  }),
);
export type ReadMessage = z.output<typeof readMessage>;

export const readMessages = endpoint('readMessages', 'POST', '/api/admin/payments/read', {
  access: 'admin',
  summary: 'Reads pasted SMS, one or many, without keeping anything.',
  body: z.object({ text: verbatim(1, pastedLength, 'Collez un message.'), accountId: z.optional(z.nullable(id)) }),
  bodyBytes: 4 * pastedLength,
  response: z.object({ messages: z.array(readMessage) }),
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND'],
});

export const payment = component(
  'Payment',
  z.object({
    id,
    accountId: id,
    direction,
    state: z.enum(lineStates),
    gross,
    fee: hundredths,
    balanceAfter: hundredths,
    reference: documented(z.nullable(words()), { description: "The operator's, in capitals." }),
    ourReference: documented(z.nullable(id), { description: 'The ticket that the payer named.' }),
    payer: documented(z.nullable(words()), { description: 'E.164, or the last digits where no more is told.' }),
    paidAt: instant,
    inputs: documented(z.array(z.enum(paymentInputs)), { description: 'Where it was told of.' }),
    ticketId: z.nullable(id),
    rule: z.nullable(z.enum(matchRules)),
    rejectedTicketId: documented(z.nullable(id), {
      description: 'Of a line without a ticket: the last one that it may have been for, and that was rejected.',
    }),
    isIgnored: documented(z.boolean(), { description: 'An administrator said that it pays no ticket.' }),
    anomaly: documented(z.nullable(words()), {
      description: 'In French: what two inputs tell differently, or that it was taken back after an approval.',
    }),
  }),
);
export type Payment = z.output<typeof payment>;

/** Filters of the list of lines: a state, without a ticket (`open`), with one, or ignored. */
export const paymentFilters = [...lineStates, 'open', 'matched', 'ignored'] as const;
export type PaymentFilter = (typeof paymentFilters)[number];

export const listPayments = endpoint('listPayments', 'GET', '/api/admin/payments', {
  access: 'admin',
  summary: 'Payment lines, the last paid first; `q` finds a reference, digits of the payer or an amount.',
  query: z.object({
    state: z.optional(z.enum(paymentFilters)),
    account: z.optional(idInPath),
    from: documented(z.optional(askedInstant), { description: 'Paid at this instant or later.' }),
    to: documented(z.optional(askedInstant), { description: 'Paid at this instant or before.' }),
    q: searchQuery,
    cursor: documented(z.optional(idInPath), { description: 'Id of the last line seen: the answer starts after it.' }),
    limit: listQuery.limit,
  }),
  response: z.array(payment),
  counted: true,
  topics: ['payments', 'tickets', 'users'],
});

const evidence = documented(z.array(words()), { description: 'French sentences: what is equal.' });
const doubts = documented(z.array(words()), {
  description: 'French sentences: why it is not ticked. Empty where it is.',
});

const pair = component(
  'PaymentPair',
  z.object({
    line: payment,
    ticket: adminTicket,
    rule: z.enum(matchRules),
    evidence,
    doubts,
    preTicked: documented(z.boolean(), {
      description:
        'Of the sure ones: settled, or an SMS of an allowed sender with a reference and a balance that follows from a settled or approved line.',
    }),
  }),
);
export type PaymentPair = z.output<typeof pair>;

/** Proposals of each kind in one answer, as many as a person looks through. More come as these are decided. */
export const proposalsAtOnce = 50;
export const candidatesAtMost = 5;

export const listProposals = endpoint('listProposals', 'GET', '/api/admin/payments/proposals', {
  access: 'admin',
  summary: 'Lines beside the tickets that they may pay. Nothing is approved by itself.',
  response: component(
    'PaymentProposals',
    z.object({
      sure: documented(z.array(pair), { description: 'One line and one ticket each, by R0 to R2b.' }),
      doubtful: documented(z.array(pair), { description: `Up to ${candidatesAtMost} tickets a line.` }),
      withoutTicket: z.array(payment),
      withoutPayment: documented(z.array(adminTicket), { description: 'Declared paid, and no line came.' }),
      unread: documented(count, { description: 'Messages that are unread.' }),
    }),
  ),
  topics: ['payments', 'tickets', 'users'],
  dependsOnTime: true,
});

export const countProposals = endpoint('countProposals', 'GET', '/api/admin/payments/count', {
  access: 'admin',
  summary:
    'How many lines have a ticket proposed, how many messages are unread, and since when the first of each waits.',
  response: z.object({
    found: count,
    oldestFound: z.nullable(instant),
    unread: count,
    oldestUnread: z.nullable(instant),
  }),
  topics: ['payments', 'tickets', 'users'],
  dependsOnTime: true,
});

export const readTicketPayment = endpoint('readTicketPayment', 'GET', '/api/admin/payments/tickets/:id', {
  access: 'admin',
  summary: 'The line that pays a ticket, or is proposed for it.',
  params: idParams,
  response: z.object({
    payment: z.nullable(
      component(
        'TicketPayment',
        z.object({
          line: payment,
          rule: z.enum(matchRules),
          evidence,
          doubts,
          isMatched: z.boolean(),
          isSure: z.boolean(),
        }),
      ),
    ),
  }),
  topics: ['payments', 'tickets', 'users'],
  dependsOnTime: true,
});

export const approvePayments = endpoint('approvePayments', 'POST', '/api/admin/payments/approvals', {
  access: 'admin',
  summary: 'Pairs lines with tickets and approves these, each pair by itself: a refusal does not affect the others.',
  body: z.object({
    pairs: listOf(z.object({ lineId: id, ticketId: id }), { min: 1, max: 100 }),
  }),
  response: z.object({
    results: z.array(
      component(
        'PaymentApproval',
        z.object({
          lineId: id,
          ticketId: id,
          outcome: z.enum(['approved', 'unchanged', 'refused']),
          code: z.optional(words()),
          message: documented(z.optional(words()), { description: 'Why it was refused, in French.' }),
        }),
      ),
    ),
  }),
  audit: { title: 'Paiement approuvé', about: 'ticket', fields: [] },
});

export const matchPayment = endpoint('matchPayment', 'POST', '/api/admin/payments/lines/:id/match', {
  access: 'admin',
  summary: 'Pairs a line with a ticket without deciding the ticket.',
  params: idParams,
  body: z.object({ ticketId: id }),
  response: payment,
  failures: ['PAYMENT_NOT_FOUND', 'PAYMENT_TAKEN', 'PAYMENT_CLOSED', 'PAYMENT_DIFFERS', 'TICKET_NOT_FOUND'],
  audit: { title: 'Paiement relié à un ticket', about: 'payment', fields: ['ticketId'] },
});

export const unmatchPayment = endpoint('unmatchPayment', 'POST', '/api/admin/payments/lines/:id/unmatch', {
  access: 'admin',
  summary: 'Takes a line from its ticket. The decision on the ticket stays: the answer says which one it has.',
  params: idParams,
  response: z.object({ payment, ticketId: id, ticketStatus: adminTicket.shape.status }),
  failures: ['PAYMENT_NOT_FOUND', 'PAYMENT_FREE'],
  audit: { title: "Paiement retiré d'un ticket", about: 'payment', fields: [] },
});

export const ignorePayment = endpoint('ignorePayment', 'POST', '/api/admin/payments/lines/:id/ignore', {
  access: 'admin',
  summary: 'Says that a line pays no ticket, or no longer says so.',
  params: idParams,
  body: z.object({ ignored: z._default(z.boolean(), true) }),
  response: payment,
  failures: ['PAYMENT_NOT_FOUND', 'PAYMENT_TAKEN'],
  audit: { title: 'Paiement ignoré', about: 'payment', fields: ['ignored'] },
});

export const remindPayer = endpoint('remindPayer', 'POST', '/api/admin/payments/reminders', {
  access: 'admin',
  summary: 'Tells the person of a declared ticket that no payment was found; once a day at most.',
  body: z.object({ ticketId: id }),
  response: done,
  failures: ['TICKET_NOT_FOUND', 'TICKET_DECIDED', 'REMINDED_TODAY'],
  audit: { title: 'Payeur relancé', about: 'ticket', fields: ['ticketId'] },
});

const guess = component(
  'PaymentGuess',
  z.object({
    gross: z.optional(gross),
    payer: documented(z.optional(words()), { description: 'E.164.' }),
    reference: z.optional(words()),
    balanceAfter: toldHundredths,
    name: documented(z.optional(words()), { description: "The payer's, which is never kept." }),
    paidAt: z.optional(instant),
  }),
);

const message = component(
  'PaymentMessage',
  z.object({
    id,
    accountId: z.nullable(id),
    sender: z.nullable(words()),
    text: documented(z.nullable(words()), { description: 'Null once erased, or where it can no longer be opened.' }),
    isErased: documented(z.boolean(), { description: 'Its text was erased after 30 days.' }),
    guess: documented(guess, { description: 'What seems to stand in it: a person confirms it.' }),
    why: documented(z.nullable(words()), { description: 'Why it was refused, in French.' }),
    receivedAt: instant,
  }),
);
export type PaymentMessage = z.output<typeof message>;

export const listUnreadMessages = endpoint('listUnreadMessages', 'GET', '/api/admin/payments/messages', {
  access: 'admin',
  summary: 'Messages that no pattern knows, or of senders that may not send; newest first, 100 at most.',
  response: z.array(message),
  topics: ['payments'],
  audit: { title: 'Messages non lus consultés', fields: [] },
});

/** The values that an administrator read in a message. */
const readByPerson = {
  accountId: id,
  gross: z.int().check(z.gte(1), z.lte(maximumAmount)),
  reference: documented(z.nullable(freeText(60)), { description: "The operator's." }),
  payer: z.nullable(freeText(40)),
  balanceAfter: documented(z.optional(z.nullable(z.int().check(z.gte(0), z.lte(100 * 1_000_000_000)))), {
    description: 'Hundredths of a franc.',
  }),
  name: documented(z.optional(z.nullable(freeText(80))), {
    description: "The payer's, so that a shape does not hold it. Never kept.",
  }),
};

export const recordPayment = endpoint('recordPayment', 'POST', '/api/admin/payments/messages/:id/payment', {
  access: 'admin',
  summary: 'Makes a payment of an unread message, by what an administrator read in it; and of those like it, if asked.',
  params: idParams,
  body: z.object({
    ...readByPerson,
    paidAt: askedInstant,
    learn: documented(z._default(z.boolean(), false), {
      description: 'Keeps its shape for the wallet and country of the account, and reads again what waits there.',
    }),
    allowSender: documented(z._default(z.boolean(), false), {
      description: 'With `learn`: its sender may send for the account from now on.',
    }),
  }),
  response: z.extend(done, {
    read: documented(count, { description: 'Waiting messages that became payments by its shape.' }),
  }),
  status: 201,
  failures: ['MESSAGE_NOT_FOUND', 'MESSAGE_READ', 'PAYMENT_ACCOUNT_NOT_FOUND', 'PHONE_INVALID'],
  audit: { title: 'Message lu comme un paiement', about: 'payment-message', fields: ['accountId', 'gross', 'learn'] },
});

export const lookAtShape = endpoint('lookAtShape', 'POST', '/api/admin/payments/messages/:id/shape', {
  access: 'admin',
  summary: 'What the shape of an unread message would be, and of how many it would read. Keeps nothing.',
  params: idParams,
  body: z.object(readByPerson),
  response: component(
    'ShapeLook',
    z.object({
      parts: z.array(
        z.object({
          text: words(),
          placeholder: documented(z.nullable(words()), {
            description: 'What stands for it, where it differs each time.',
          }),
        }),
      ),
      waiting: documented(count, { description: 'Other waiting messages that it reads.' }),
      stranger: documented(z.nullable(words()), { description: 'The sender, where it may not send for the account.' }),
    }),
  ),
  failures: ['MESSAGE_NOT_FOUND', 'MESSAGE_READ', 'PAYMENT_ACCOUNT_NOT_FOUND', 'PHONE_INVALID'],
});

export const ignoreMessage = endpoint('ignoreMessage', 'POST', '/api/admin/payments/messages/:id/ignore', {
  access: 'admin',
  summary: 'Says that an unread message is no payment.',
  params: idParams,
  response: done,
  failures: ['MESSAGE_NOT_FOUND', 'MESSAGE_READ'],
  audit: { title: 'Message ignoré', about: 'payment-message', fields: [] },
});

export const takeMessages = endpoint('takeMessages', 'POST', '/api/admin/payments/pasted', {
  access: 'admin',
  summary: 'Keeps pasted SMS as `readMessages` reads them.',
  body: z.object({ text: verbatim(1, pastedLength, 'Collez un message.'), accountId: id }),
  bodyBytes: 4 * pastedLength,
  response: component('TakenMessages', z.object({ payments: count, known: count, ignored: count, unread: count })),
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND'],
  audit: { title: 'SMS collés', fields: ['accountId'] },
});
