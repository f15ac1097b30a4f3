import { randomUUID } from 'node:crypto';
import { statementForm } from './bodies.ts';
import { readStatement } from './payment-rows.ts';
import type { Call } from './world.ts';

// What `server/cache/topics.slow.test.ts` reads and writes of incoming payments.

export const paymentReads = {
  listPayments: ['/api/admin/payments'],
  listProposals: ['/api/admin/payments/proposals'],
  countProposals: ['/api/admin/payments/count'],
  readTicketPayment: ['/api/admin/payments/tickets/{ticket}', '/api/admin/payments/tickets/{paid}'],
  listUnreadMessages: ['/api/admin/payments/messages'],
  listPaymentAccounts: ['/api/admin/payments/accounts'],
};

export const paymentStatements = [
  "update payment_accounts set label = label || '.' where id = {account}",
  'update payment_sources set last_seen_at = now() where id = {source}',
  "update payment_messages set state = 'ignored' where id = {message}",
  'update payment_lines set is_ignored = true where id = {line}',
  'update payment_matches set undone_at = now() where line_id = {paidLine}',
  'delete from payment_accounts where id = {account}',
];

export const paymentCalls: Call[] = [
  [
    'admin',
    'POST /api/admin/payments/accounts',
    ({ paymentType }) => ({ paymentTypeId: paymentType.id, country: '+228', number: '90 00 00 00', label: 'Lomé' }),
  ],
  ['admin', 'PUT /api/admin/payments/accounts/{account}', () => ({ isActive: false })],
  ['admin', 'POST /api/admin/payments/sources', ({ account }) => ({ accountId: account.id, kind: 'sms' })],
  ['admin', 'POST /api/admin/payments/sources/{source}/rotation', () => ({ signingSecret: randomUUID() })],
  ['admin', 'DELETE /api/admin/payments/sources/{source}'],
  [
    'admin',
    'POST /api/admin/payments/approvals',
    ({ line, ticket }) => ({ pairs: [{ lineId: line.id, ticketId: ticket.id }] }),
  ],
  ['admin', 'POST /api/admin/payments/lines/{line}/match', ({ ticket }) => ({ ticketId: ticket.id })],
  ['admin', 'POST /api/admin/payments/lines/{paidLine}/unmatch'],
  ['admin', 'POST /api/admin/payments/lines/{line}/ignore', () => ({})],
  ['admin', 'POST /api/admin/payments/reminders', ({ ticket }) => ({ ticketId: ticket.id })],
  [
    'admin',
    'POST /api/admin/payments/messages/{message}/payment',
    ({ account }) => {
      const paidAt = new Date().toISOString();
      return { accountId: account.id, gross: 500, reference: null, payer: null, paidAt };
    },
  ],
  ['admin', 'POST /api/admin/payments/messages/{message}/ignore'],
  ['admin', 'POST /api/admin/payments/pasted', ({ account }) => ({ text: 'Bonjour', accountId: account.id })],
  [
    'admin',
    'POST /api/admin/payments/imports',
    ({ account }) => statementForm({ accountId: account.id, dryRun: false }, readStatement()),
  ],
  ['stranger', 'POST {sms}', () => ({ from: 'OrangeMoney', text: 'Bonjour' })],
  ['stranger', 'POST {wave}', ({ wave }) => wave.body, ({ wave }) => wave.headers],
];
