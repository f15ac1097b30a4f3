import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { statementForm } from './bodies.ts';
import {
  buildMatchedLine,
  buildPaymentAccount,
  buildPaymentLine,
  buildPaymentMessage,
  buildPaymentSource,
  buildPaymentType,
  buildTicket,
} from './builders.ts';
import { admins, everyone, type RouteRow, type RouteStage } from './route-rows.ts';
import { buildWaveCall } from './wave-call.ts';

const operators = path.resolve(import.meta.dirname, '../features/payment-feed/operators');
/** A statement of Orange Burkina Faso. */
export const readStatement = () => readFileSync(path.join(operators, 'orange-bf/statements/transferts.csv'));

/** What each route of incoming payments answers each caller. */
export function paymentRows(on: () => RouteStage): Record<string, RouteRow> {
  const db = () => on().api.db;
  const newTicket = () => buildTicket(db(), on().userA.id);
  const onAccount = (body: object) => async () => ({
    url: `/api/admin/payments/accounts/${(await buildPaymentAccount(db())).id}`,
    body,
  });
  const onSource = (action: string, body?: object) => async () => ({
    url: `/api/admin/payments/sources/${(await buildPaymentSource(db())).id}${action}`,
    ...(body && { body }),
  });
  const onMessage = async (action: string) =>
    `/api/admin/payments/messages/${(await buildPaymentMessage(db())).id}${action}`;
  const onLine = async (action: string) => `/api/admin/payments/lines/${(await buildPaymentLine(db())).id}${action}`;

  return {
    'GET /api/admin/payments': { expected: admins(200) },
    'GET /api/admin/payments/proposals': { expected: admins(200) },
    'GET /api/admin/payments/count': { expected: admins(200) },
    'GET /api/admin/payments/tickets/:id': {
      expected: admins(200),
      make: async () => ({ url: `/api/admin/payments/tickets/${(await newTicket()).id}` }),
    },
    'POST /api/admin/payments/approvals': {
      expected: admins(200),
      make: async () => ({
        body: { pairs: [{ lineId: (await buildPaymentLine(db())).id, ticketId: (await newTicket()).id }] },
      }),
    },
    'POST /api/admin/payments/lines/:id/match': {
      expected: admins(200),
      make: async () => ({ url: await onLine('/match'), body: { ticketId: (await newTicket()).id } }),
    },
    'POST /api/admin/payments/lines/:id/unmatch': {
      expected: admins(200),
      make: async () => {
        const { id } = await buildMatchedLine(db(), (await newTicket()).id);
        return { url: `/api/admin/payments/lines/${id}/unmatch` };
      },
    },
    'POST /api/admin/payments/lines/:id/ignore': {
      expected: admins(200),
      make: async () => ({ url: await onLine('/ignore'), body: {} }),
    },
    'POST /api/admin/payments/reminders': {
      expected: admins(200),
      make: async () => ({ body: { ticketId: (await newTicket()).id } }),
    },

    'GET /api/admin/payments/messages': { expected: admins(200) },
    'POST /api/admin/payments/messages/:id/payment': {
      expected: admins(201),
      make: async () => {
        const { id: accountId } = await buildPaymentAccount(db());
        const paidAt = new Date().toISOString();
        return {
          url: await onMessage('/payment'),
          body: { accountId, gross: 1100, reference: null, payer: '70 12 34 56', paidAt },
        };
      },
    },
    'POST /api/admin/payments/messages/:id/ignore': {
      expected: admins(200),
      make: async () => ({ url: await onMessage('/ignore') }),
    },
    'POST /api/admin/payments/read': { expected: admins(200), make: async () => ({ body: { text: 'Bonjour' } }) },
    'POST /api/admin/payments/pasted': {
      expected: admins(200),
      make: async () => ({ body: { text: 'Bonjour', accountId: (await buildPaymentAccount(db())).id } }),
    },
    'POST /api/admin/payments/imports': {
      expected: admins(200),
      make: async () => {
        const { id: accountId } = await buildPaymentAccount(db());
        return { body: statementForm({ accountId, dryRun: false }, readStatement()) };
      },
    },

    'GET /api/admin/payments/accounts': { expected: admins(200) },
    'POST /api/admin/payments/accounts': {
      expected: admins(201),
      make: async () => {
        const { id: paymentTypeId } = await buildPaymentType(db(), randomUUID());
        return { body: { paymentTypeId, country: '+226', number: '70 00 00 00', label: 'Caisse' } };
      },
    },
    'PUT /api/admin/payments/accounts/:id': { expected: admins(200), make: onAccount({ label: 'Caisse 2' }) },
    'POST /api/admin/payments/sources': {
      expected: admins(201),
      make: async () => ({ body: { accountId: (await buildPaymentAccount(db())).id, kind: 'sms' } }),
    },
    'POST /api/admin/payments/sources/:id/rotation': { expected: admins(200), make: onSource('/rotation', {}) },
    'DELETE /api/admin/payments/sources/:id': { expected: admins(200), make: onSource('') },

    'POST /api/payment-feed/:secret/sms': {
      expected: everyone(200),
      make: async () => ({
        url: (await buildPaymentSource(db())).path,
        body: { from: 'OrangeMoney', text: 'Bonjour' },
      }),
    },
    'POST /api/payment-feed/:secret/wave': { expected: everyone(200), make: () => buildWaveCall(db()) },
  };
}
