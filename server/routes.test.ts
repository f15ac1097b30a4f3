import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backgroundForm, imageForm, orderBody, serviceForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  buildTicket,
  buildUser,
  knownPassword,
  nextPhone,
  signInAs,
} from '#server/testing/builders.ts';
import { digestOfRows } from '#server/testing/digest-of-rows.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import type { UserRow } from './features/users/store.ts';

let api: TestApi;
let userA: UserRow;
let userB: UserRow;
let administrator: UserRow;
let path: { id: number; level: number }[];
let image: string;
let png: Buffer;

beforeAll(async () => {
  api = await startTestApi();
  [userA, userB] = [await buildUser(api.db), await buildUser(api.db)];
  administrator = (await buildAdmin(api)).user;
  path = await buildFinalService(api.db);
  await api.client().post('/api/init-data', {});
  png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } })
    .png()
    .toBuffer();
  image = await api.images.put(png);
});
afterAll(() => api.close());

/** The six callers, each with a session of its own; a guest may end with the call, so it is a new one every time. */
const callers: Record<string, () => Promise<TestClient>> = {
  'signed out': async () => api.client(),
  guest: async () =>
    signInAs(
      api,
      await buildUser(api.db, { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null }),
    ),
  unverified: async () => signInAs(api, await buildUser(api.db, { isVerified: false })),
  'user A': async () => signInAs(api, userA),
  'user B': async () => signInAs(api, userB),
  administrator: async () => signInAs(api, administrator),
};
const kinds = Object.keys(callers);

type Expected = Record<string, number | string>;
const answers = (...list: (number | string)[]): Expected =>
  Object.fromEntries(kinds.map((kind, index) => [kind, list[index] ?? 'not in the table']));

const everyone = (status: number) => answers(status, status, status, status, status, status);
const admins = (status: number) =>
  answers('401 NOT_SIGNED_IN', '403 FORBIDDEN', '403 FORBIDDEN', '403 FORBIDDEN', '403 FORBIDDEN', status);
const people = (a: number | string, b: number | string, admin: number | string) =>
  answers('401 NOT_SIGNED_IN', '403 GUEST', '403 PHONE_NOT_VERIFIED', a, b, admin);
const ownTicket = people(200, '404 TICKET_NOT_FOUND', '404 TICKET_NOT_FOUND');

interface Row {
  expected: Expected;
  /** What to call, made anew for each caller; the row's own path and no body when left out. */
  make?: () => Promise<{ url?: string; body?: object }>;
}

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
  await api.client().post('/api/auth/signup', signUpBody(phone));
  return { phone, code: await api.readCode(phone) };
}

async function forgot() {
  const { phone } = await buildUser(api.db);
  await api.client().post('/api/auth/forgot-password', { phoneOrEmail: phone });
  return { phone, code: await api.readCode(phone) };
}

async function resetToken() {
  const { body } = await api.client().post('/api/auth/verify-reset-otp', await forgot());
  return body.token as string;
}

const onUser = (action: string, body?: object) => async () => ({
  url: `/api/admin/users/${(await buildUser(api.db)).id}${action}`,
  ...(body && { body }),
});

async function newPage() {
  const admin = await signInAs(api, administrator);
  const fields = { slug: `page-${randomUUID()}`, title: 'Aide', content: 'Texte', isActive: true };
  const { body } = await admin.post('/api/admin/content-pages', fields);
  return { id: body.id as number, slug: fields.slug };
}

const onPage = (body?: object) => async () => ({
  url: `/api/admin/content-pages/${(await newPage()).id}`,
  ...(body && { body }),
});
const onPaymentType = (body?: object) => async () => ({
  url: `/api/admin/payment-types/${(await buildPaymentType(api.db, randomUUID())).id}`,
  ...(body && { body }),
});
const onService = (body?: object) => async () => ({
  url: `/api/admin/services/${(await buildFinalService(api.db)).at(-1)?.id}`,
  ...(body && { body }),
});
const ofUserA = (url: string) => async () => ({ url: url.replace(':userId', String(userA.id)) });
const onTicketOfA = (action: string, body?: object) => async () => ({
  url: `/api/tickets/${(await buildTicket(api.db, userA.id)).id}${action}`,
  ...(body && { body }),
});
const ofNotification = (url: string) => async () => ({
  url: url.replace(':id', String((await buildNotification(api.db, userA.id)).id)),
});

const table: Record<string, Row> = {
  'GET /api/health/live': { expected: everyone(200) },
  'GET /api/health/ready': { expected: everyone(200) },
  'GET /api/openapi.json': { expected: everyone(200) },
  'POST /api/init-data': { expected: everyone(200), make: async () => ({ body: {} }) },
  'POST /api/auth/signup': { expected: everyone(201), make: async () => ({ body: signUpBody(nextPhone()) }) },
  'POST /api/auth/signin': {
    expected: everyone(200),
    make: async () => ({ body: { phoneOrEmail: userB.phone, password: knownPassword } }),
  },
  'POST /api/auth/guest': { expected: everyone(200) },
  'POST /api/auth/verify-otp': { expected: everyone(200), make: async () => ({ body: await signedUp() }) },
  'POST /api/auth/resend-otp': {
    expected: everyone(200),
    make: async () => ({ body: { phone: (await signedUp()).phone } }),
  },
  'POST /api/auth/forgot-password': {
    expected: everyone(200),
    make: async () => ({ body: { phoneOrEmail: (await buildUser(api.db)).phone } }),
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
    make: async () => ({ url: `/api/admin/services/${path[0]?.id}/use` }),
  },
  'PUT /api/admin/service-order': {
    expected: admins(200),
    make: async () => ({ body: { parentId: path[0]?.id, ids: [path.at(-1)?.id] } }),
  },
  'GET /api/admin/catalogue-export': { expected: admins(200) },
  'POST /api/admin/catalogue-import': {
    expected: admins(200),
    make: async () => ({ body: { csv: 'name\nEau', dryRun: false } }),
  },
  'GET /api/commission/:serviceId': {
    expected: everyone(200),
    make: async () => ({ url: `/api/commission/${path.at(-1)?.id}?userPrice=1000` }),
  },

  'GET /api/payment-types': { expected: everyone(200) },
  'POST /api/admin/payment-types': { expected: admins(201), make: async () => ({ body: { name: randomUUID() } }) },
  'PUT /api/admin/payment-types/:id': { expected: admins(200), make: onPaymentType({ isActive: false }) },
  'DELETE /api/admin/payment-types/:id': { expected: admins(200), make: onPaymentType() },
  'POST /api/admin/upload-payment-picture': {
    expected: admins(200),
    make: async () => ({ body: imageForm('picture', png) }),
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
  'POST /api/admin/upload-background': { expected: admins(200), make: async () => ({ body: backgroundForm(png) }) },

  'GET /api/admin/backups': { expected: admins(200) },
  'GET /api/admin/reject-reasons': { expected: admins(200) },
  'PUT /api/admin/reject-reasons': {
    expected: admins(200),
    make: async () => ({ body: { reasons: [randomUUID()] } }),
  },
  'GET /api/admin/audit': { expected: admins(200) },
  'GET /api/admin/audit-export': { expected: admins(200) },

  'POST /api/tickets': { expected: people(201, 201, 201), make: async () => ({ body: orderBody(path) }) },
  'GET /api/tickets/user/:userId': {
    expected: people(200, '403 FORBIDDEN', 200),
    make: ofUserA('/api/tickets/user/:userId'),
  },
  'GET /api/tickets/:id': { expected: ownTicket, make: onTicketOfA('') },
  'POST /api/tickets/:id/payment-declaration': {
    expected: ownTicket,
    make: onTicketOfA('/payment-declaration', { reference: 'PP240512.1234.A12345' }),
  },
  'GET /api/admin/tickets': { expected: admins(200) },
  'GET /api/admin/tickets/:id': {
    expected: admins(200),
    make: async () => ({ url: `/api/admin/tickets/${(await buildTicket(api.db, userA.id)).id}` }),
  },
  'GET /api/admin/ticket-export': {
    expected: admins(200),
    make: async () => {
      await buildTicket(api.db, userA.id);
      return { url: '/api/admin/ticket-export?timeZone=Africa/Ouagadougou' };
    },
  },
  'GET /api/admin/pending-tickets': { expected: admins(200) },
  'POST /api/admin/ticket-decisions': {
    expected: admins(200),
    make: async () => ({
      body: { status: 'approved', tickets: [{ id: (await buildTicket(api.db, userA.id)).id }] },
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
  'GET /uploads/*': { expected: everyone(200), make: async () => ({ url: image }) },
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const split = (call: string) => call.split(' ') as [Method, string];

const routes = () => api.routes.filter(({ method }) => method !== 'HEAD').map(({ method, url }) => `${method} ${url}`);
const isOfDocs = (route: string) => / \/api\/docs(?:\/|$)/.test(route);

test('every registered route is in the table, and every row of the table is registered', () => {
  const ours = routes().filter((route) => / \/(?:api|uploads)\//i.test(route) && !isOfDocs(route));
  expect(ours.length).toBeGreaterThan(40);
  expect(ours.toSorted()).toEqual(Object.keys(table).toSorted());
});

test('what is not in the table, the page of the API’s document and the built web app, is only read', () => {
  const others = routes().filter((route) => !(route in table));
  expect(others.filter(isOfDocs)).toContain('GET /api/docs');
  expect(others.filter((route) => !route.startsWith('GET '))).toEqual([]);
  expect(api.routes.filter(({ method }) => !['GET', 'HEAD'].includes(method)).length).toBeGreaterThan(20);
});

test('the page of the API’s document is open to everyone, and the same for everyone', async () => {
  const urls = api.routes.map(({ url }) => url).filter((url) => isOfDocs(`GET ${url}`) && !url.endsWith('*'));
  expect(urls).toEqual(expect.arrayContaining(['/api/docs', '/api/docs/json']));
  for (const url of [...new Set(urls), '/api/docs/static/swagger-ui.css']) {
    const seen = new Set<string>();
    for (const makeCaller of Object.values(callers)) {
      const { status, raw } = await (await makeCaller()).get(url);
      seen.add(`${status} ${raw}`);
    }
    expect([...seen], url).toEqual([expect.stringMatching(/^(?:200|302) /)]);
  }
});

test.each(Object.entries(table))('%s answers each caller as the table says', async (call, { expected, make }) => {
  const [method, route] = split(call);
  const seen: Expected = {};
  for (const [kind, makeCaller] of Object.entries(callers)) {
    const { url = route, body } = (await make?.()) ?? {};
    const client = await makeCaller();
    const before = await digestOfRows(api.pool);
    const answer = await client.send(method, url, body);
    seen[kind] = answer.status < 400 ? answer.status : `${answer.status} ${answer.body.code}`;
    if (answer.status >= 400)
      expect(await digestOfRows(api.pool), `${kind} was refused and changed a row`).toBe(before);
  }
  expect(seen).toEqual(expected);
});

const gets = Object.entries(table).filter(([call]) => call.startsWith('GET '));
test.each(gets)('HEAD for %s gives nobody more than GET does', async (call, { expected, make }) => {
  const [, route] = split(call);
  for (const [kind, makeCaller] of Object.entries(callers)) {
    const { url = route } = (await make?.()) ?? {};
    const { cookies } = await makeCaller();
    const answer = await api.app.inject({ method: 'HEAD', url, cookies: Object.fromEntries(cookies) });
    expect({ kind, status: answer.statusCode }).toEqual({ kind, status: Number.parseInt(String(expected[kind]), 10) });
    expect(answer.body).toBe('');
  }
});

const adminOnly = Object.entries(table).filter(([, { expected }]) => expected['user A'] === '403 FORBIDDEN');
test.each(adminOnly)('%s is refused with the user-id header of an administrator', async (call, { make }) => {
  const [method, route] = split(call);
  const forged = { 'x-user-id': String(administrator.id), 'x-forwarded-user': String(administrator.id) };
  for (const [kind, status] of [
    ['signed out', 401],
    ['guest', 403],
    ['user A', 403],
  ] as const) {
    const { url = route, body } = (await make?.()) ?? {};
    const client = await (callers[kind] as () => Promise<TestClient>)();
    const before = await digestOfRows(api.pool);
    const answer = await client.send(method, `${url}?userId=${administrator.id}`, body, forged);
    expect({ kind, status: answer.status }).toEqual({ kind, status });
    expect(await digestOfRows(api.pool)).toBe(before);
  }
});

test('the table holds every admin call there is', () => {
  const declared = endpoints.filter(({ access }) => access === 'admin');
  expect(adminOnly.length).toBe(declared.length);
  expect(declared.length).toBeGreaterThan(15);
});
