import { randomUUID } from 'node:crypto';
import { receiptCode, receiptKey } from '#server/features/receipts/receipt-codes.ts';
import { receiptSecret } from '#server/features/sms/receipts.ts';
import { backgroundForm, imageForm, orderBody, serviceForm } from './bodies.ts';
import {
  buildAdmin,
  buildDialTemplate,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  buildService,
  buildTicket,
  buildUser,
  knownPassword,
  nextPhone,
} from './builders.ts';
import { paymentRows } from './payment-rows.ts';
import { makeBrowser } from './push-service.ts';
import { admins, answers, everyone, ownTicket, people, type RouteRow, type RouteStage } from './route-rows.ts';
import { secret } from './test-api.ts';

/** What each route of the product answers each caller. */
export function routeTable(on: () => RouteStage): Record<string, RouteRow> {
  const signUpBody = (phone: string) => ({
    firstName: 'Awa',
    lastName: 'Kaboré',
    phone,
    countryCode: '+226',
    email: '',
    password: knownPassword,
    confirmPassword: knownPassword,
  });

  async function signedUp() {
    const phone = nextPhone();
    await on().api.client().post('/api/auth/signup', signUpBody(phone));
    return { phone, code: await on().api.readCode(phone) };
  }

  async function forgot() {
    const { phone } = await buildUser(on().api.db);
    await on().api.client().post('/api/auth/forgot-password', { phoneOrEmail: phone });
    return { phone, code: await on().api.readCode(phone) };
  }

  async function resetToken() {
    const { body } = await on()
      .api.client()
      .post('/api/auth/verify-reset-otp', await forgot());
    return body.token as string;
  }

  const onUser = (action: string, body?: object) => async () => ({
    url: `/api/admin/users/${(await buildUser(on().api.db)).id}${action}`,
    ...(body && { body }),
  });

  async function newPage() {
    const { client: admin } = await buildAdmin(on().api);
    const fields = { slug: `page-${randomUUID()}`, title: 'Aide', content: 'Texte', isActive: true };
    const { body } = await admin.post('/api/admin/content-pages', fields);
    return { id: body.id as number, slug: fields.slug };
  }

  const onPage = (body?: object) => async () => ({
    url: `/api/admin/content-pages/${(await newPage()).id}`,
    ...(body && { body }),
  });
  const onPaymentType = (body?: object) => async () => ({
    url: `/api/admin/payment-types/${(await buildPaymentType(on().api.db, randomUUID())).id}`,
    ...(body && { body }),
  });
  const onDialTemplate = (body?: object) => async () => {
    const { id } = await buildPaymentType(on().api.db, randomUUID());
    const template = await buildDialTemplate(on().api.db, id);
    return { url: `/api/admin/payment-types/${id}/dial-templates/${template.id}`, ...(body && { body }) };
  };
  const dialTemplate = { template: '*144*{marchand}*XX#', merchant: '1234' };
  const onService = (body?: object) => async () => ({
    url: `/api/admin/services/${(await buildFinalService(on().api.db)).at(-1)?.id}`,
    ...(body && { body }),
  });
  const ofUserA = (url: string) => async () => ({ url: url.replace(':userId', String(on().userA.id)) });
  const onTicketOfA = (action: string, body?: object, fields?: Parameters<typeof buildTicket>[2]) => async () => ({
    url: `/api/tickets/${(await buildTicket(on().api.db, on().userA.id, fields)).id}${action}`,
    ...(body && { body }),
  });
  const approved = { status: 'approved' as const };
  const ofNotification = (url: string) => async () => ({
    url: url.replace(':id', String((await buildNotification(on().api.db, on().userA.id)).id)),
  });

  return {
    'GET /api/health/live': { expected: everyone(200) },
    'GET /api/health/ready': { expected: everyone(200) },
    'GET /api/openapi.json': { expected: everyone(200) },
    'POST /api/init-data': { expected: everyone(200), make: async () => ({ body: {} }) },
    'POST /api/auth/signup': { expected: everyone(201), make: async () => ({ body: signUpBody(nextPhone()) }) },
    'POST /api/auth/signin': {
      expected: everyone(200),
      make: async () => ({ body: { phoneOrEmail: on().userB.phone, password: knownPassword } }),
    },
    'POST /api/auth/guest': { expected: everyone(200) },
    'POST /api/auth/verify-otp': { expected: everyone(200), make: async () => ({ body: await signedUp() }) },
    'POST /api/auth/resend-otp': {
      expected: everyone(200),
      make: async () => ({ body: { phone: (await signedUp()).phone } }),
    },
    'GET /api/auth/code-delivery': {
      expected: everyone(200),
      make: async () => ({ url: '/api/auth/code-delivery?purpose=signup' }),
    },
    'POST /api/auth/forgot-password': {
      expected: everyone(200),
      make: async () => ({ body: { phoneOrEmail: (await buildUser(on().api.db)).phone } }),
    },
    'POST /api/auth/verify-reset-otp': { expected: everyone(200), make: async () => ({ body: await forgot() }) },
    'POST /api/auth/resend-reset-otp': {
      expected: everyone(200),
      make: async () => ({ body: { phone: (await forgot()).phone } }),
    },
    'POST /api/auth/reset-password': {
      expected: everyone(200),
      make: async () => ({
        body: { newPassword: 'nouveau1', confirmPassword: 'nouveau1', token: await resetToken() },
      }),
    },
    'POST /api/auth/change-password': {
      expected: people(200, 200, 200),
      make: async () => ({
        body: { currentPassword: knownPassword, newPassword: knownPassword, confirmPassword: knownPassword },
      }),
    },
    'PATCH /api/auth/profile': {
      expected: people(200, 200, 200),
      make: async () => ({ body: { firstName: 'Awa', lastName: 'Sow', email: null } }),
    },
    'POST /api/auth/confirm-password': {
      expected: admins(200),
      make: async () => ({ body: { password: knownPassword } }),
    },
    'POST /api/auth/signout': { expected: everyone(200) },
    'GET /api/auth/me': { expected: answers('401 NOT_SIGNED_IN', 200, 200, 200, 200, 200) },

    'GET /api/admin/users': { expected: admins(200) },
    'GET /api/admin/users/:id': { expected: admins(200), make: onUser('') },
    'PATCH /api/admin/users/:id/administrator': {
      expected: admins(200),
      make: onUser('/administrator', { isAdmin: true }),
    },
    'PATCH /api/admin/users/:id/reset-password': {
      expected: admins(200),
      make: onUser('/reset-password', { password: 'nouveau1' }),
    },
    'PATCH /api/admin/users/:id/deactivate': { expected: admins(200), make: onUser('/deactivate') },
    'PATCH /api/admin/users/:id/activate': { expected: admins(200), make: onUser('/activate') },
    'DELETE /api/admin/users/:id': { expected: admins(200), make: onUser('') },

    'GET /api/services': { expected: everyone(200) },
    'GET /api/catalogue': { expected: everyone(200) },
    'POST /api/services': { expected: admins(201), make: async () => ({ body: serviceForm({ name: 'Eau' }) }) },
    'GET /api/admin/services': { expected: admins(200) },
    'PUT /api/admin/services/:id': {
      expected: admins(200),
      make: async () => onService(serviceForm({ name: 'Eau' }))(),
    },
    'DELETE /api/admin/services/:id': { expected: admins(200), make: onService() },
    'GET /api/admin/services/:id/use': {
      expected: admins(200),
      make: async () => ({ url: `/api/admin/services/${on().path[0]?.id}/use` }),
    },
    'PUT /api/admin/service-order': {
      expected: admins(200),
      make: async () => {
        const { db } = on().api;
        const above = await buildService(db);
        const children = [await buildService(db, {}, above), await buildService(db, {}, above)];
        return { body: { parentId: above[0]?.id, ids: children.map((path) => path.at(-1)?.id).toReversed() } };
      },
    },
    'GET /api/admin/catalogue-export': { expected: admins(200) },
    'POST /api/admin/catalogue-import': {
      expected: admins(200),
      make: async () => ({ body: { csv: 'name\nEau', dryRun: false } }),
    },
    'GET /api/commission/:serviceId': {
      expected: everyone(200),
      make: async () => ({ url: `/api/commission/${on().path.at(-1)?.id}?userPrice=1000` }),
    },

    'GET /api/payment-types': { expected: everyone(200) },
    'POST /api/admin/payment-types': { expected: admins(201), make: async () => ({ body: { name: randomUUID() } }) },
    'PUT /api/admin/payment-types/:id': { expected: admins(200), make: onPaymentType({ isActive: false }) },
    'DELETE /api/admin/payment-types/:id': { expected: admins(200), make: onPaymentType() },
    'GET /api/admin/payment-types/:id/dial-templates': {
      expected: admins(200),
      make: async () => ({
        url: `/api/admin/payment-types/${(await buildPaymentType(on().api.db, randomUUID())).id}/dial-templates`,
      }),
    },
    'POST /api/admin/payment-types/:id/dial-templates': {
      expected: admins(201),
      make: async () => ({
        url: `/api/admin/payment-types/${(await buildPaymentType(on().api.db, randomUUID())).id}/dial-templates`,
        body: { country: '+226', ...dialTemplate },
      }),
    },
    'PUT /api/admin/payment-types/:id/dial-templates/:templateId': {
      expected: admins(200),
      make: onDialTemplate({ ...dialTemplate, state: 'verified', message: null }),
    },
    'DELETE /api/admin/payment-types/:id/dial-templates/:templateId': {
      expected: admins(200),
      make: onDialTemplate(),
    },
    'POST /api/admin/upload-payment-picture': {
      expected: admins(200),
      make: async () => ({ body: imageForm('picture', on().png) }),
    },

    'GET /api/content-pages/:slug': {
      expected: everyone(200),
      make: async () => ({ url: `/api/content-pages/${(await newPage()).slug}` }),
    },
    'GET /api/admin/content-pages': { expected: admins(200) },
    'POST /api/admin/content-pages': {
      expected: admins(201),
      make: async () => ({ body: { slug: randomUUID(), title: 'Aide', content: 'Texte', isActive: true } }),
    },
    'PUT /api/admin/content-pages/:id': { expected: admins(200), make: onPage({ isActive: false }) },
    'DELETE /api/admin/content-pages/:id': { expected: admins(200), make: onPage() },

    'GET /api/admin/background-settings': { expected: everyone(200) },
    'POST /api/admin/background-settings': {
      expected: admins(200),
      make: async () => ({ body: { backgroundImage: null, opacity: 40, blur: 1 } }),
    },
    'POST /api/admin/upload-background': {
      expected: admins(200),
      make: async () => ({ body: backgroundForm(on().png) }),
    },

    'GET /api/admin/backups': { expected: admins(200) },
    'GET /api/admin/reject-reasons': { expected: admins(200) },
    'PUT /api/admin/reject-reasons': {
      expected: admins(200),
      make: async () => ({ body: { reasons: [randomUUID()] } }),
    },
    'GET /api/contact': { expected: everyone(200) },
    'PUT /api/admin/contact': {
      expected: admins(200),
      make: async () => ({ body: { whatsapp: nextPhone(), phone: null, email: null } }),
    },
    'GET /api/admin/sms': { expected: admins(200) },
    'GET /api/admin/sms/deliveries': { expected: admins(200) },
    'PUT /api/admin/sms/settings': {
      expected: admins(200),
      make: async () => ({ body: { perDay: 1_000, perCountryAndDay: 1_000, onDecision: false } }),
    },
    'POST /api/admin/sms/test': { expected: admins(200), make: async () => ({ body: { phone: nextPhone() } }) },
    'GET /api/admin/audit': { expected: admins(200) },

    'POST /api/tickets': { expected: people(201, 201, 201), make: async () => ({ body: orderBody(on().path) }) },
    'GET /api/tickets/user/:userId': {
      expected: people(200, '403 FORBIDDEN', 200),
      make: ofUserA('/api/tickets/user/:userId'),
    },
    'GET /api/tickets/:id': { expected: ownTicket, make: onTicketOfA('') },
    'POST /api/tickets/:id/payment-declaration': {
      expected: ownTicket,
      make: onTicketOfA('/payment-declaration', { reference: 'PP240512.1234.A12345' }),
    },
    'POST /api/tickets/:id/code-report': {
      expected: ownTicket,
      make: onTicketOfA('/code-report', { reason: 'no-answer' }, { dialCode: '*144*1*1100#' }),
    },
    'GET /api/decision-time': { expected: everyone(200) },
    'GET /api/tickets/:id/receipt': { expected: ownTicket, make: onTicketOfA('/receipt', undefined, approved) },
    'GET /api/receipts/:code': {
      expected: everyone(200),
      make: async () => {
        const ticket = await buildTicket(on().api.db, on().userA.id, approved);
        return { url: `/api/receipts/${receiptCode(receiptKey(secret), ticket)}` };
      },
    },
    'GET /api/admin/tickets': { expected: admins(200) },
    'GET /api/admin/tickets/:id': {
      expected: admins(200),
      make: async () => ({ url: `/api/admin/tickets/${(await buildTicket(on().api.db, on().userA.id)).id}` }),
    },
    'GET /api/admin/ticket-export': {
      expected: admins(200),
      make: async () => {
        await buildTicket(on().api.db, on().userA.id);
        return { url: '/api/admin/ticket-export?timeZone=Africa/Ouagadougou' };
      },
    },
    'GET /api/admin/pending-tickets': { expected: admins(200) },
    'POST /api/admin/ticket-decisions': {
      expected: admins(200),
      make: async () => ({
        body: { status: 'approved', tickets: [{ id: (await buildTicket(on().api.db, on().userA.id)).id }] },
      }),
    },
    'GET /api/admin/dashboard': {
      expected: admins(200),
      make: async () => ({ url: '/api/admin/dashboard?timeZone=Africa/Ouagadougou' }),
    },
    'PATCH /api/tickets/:id/status': { expected: admins(200), make: onTicketOfA('/status', { status: 'approved' }) },

    'GET /api/notifications/user/:userId': {
      expected: people(200, '403 FORBIDDEN', 200),
      make: ofUserA('/api/notifications/user/:userId'),
    },
    'GET /api/notifications/user/:userId/unread-count': {
      expected: people(200, '403 FORBIDDEN', 200),
      make: ofUserA('/api/notifications/user/:userId/unread-count'),
    },
    'GET /api/notifications/:id': {
      expected: people(200, '404 NOTIFICATION_NOT_FOUND', '404 NOTIFICATION_NOT_FOUND'),
      make: ofNotification('/api/notifications/:id'),
    },
    'PATCH /api/notifications/:id/read': {
      expected: people(200, '404 NOTIFICATION_NOT_FOUND', '404 NOTIFICATION_NOT_FOUND'),
      make: ofNotification('/api/notifications/:id/read'),
    },
    'GET /api/beneficiaries': { expected: people(200, 200, 200) },
    'PUT /api/beneficiaries/:phone': {
      expected: people(200, 200, 200),
      make: async () => ({ url: '/api/beneficiaries/+22670123456', body: { name: 'Maman' } }),
    },
    'DELETE /api/beneficiaries/:phone': {
      expected: people(200, 200, 200),
      make: async () => ({ url: '/api/beneficiaries/+22670123456' }),
    },
    'GET /api/push/key': { expected: people(200, 200, 200) },
    'POST /api/push/subscriptions': {
      expected: people(200, 200, 200),
      make: async () => ({ body: makeBrowser('https://fcm.googleapis.com').form }),
    },
    'DELETE /api/push/subscriptions': {
      expected: people(200, 200, 200),
      make: async () => ({ body: { endpoint: 'https://fcm.googleapis.com/fcm/send/x' } }),
    },
    'POST /api/sms/receipts/:secret/:gateway': {
      expected: everyone(200),
      make: async () => ({
        url: `/api/sms/receipts/${receiptSecret(undefined, 'a secret of the tests, long enough')}/twilio`,
        body: { MessageSid: 'SM1', MessageStatus: 'delivered' },
      }),
    },
    ...paymentRows(on),

    'GET /uploads/*': { expected: everyone(200), make: async () => ({ url: on().image }) },
  };
}
