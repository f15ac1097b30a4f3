import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildFinalService, buildPaymentType, buildTicket } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

/** Ids by the name of the ticket's last service, oldest first. */
const made: Record<string, number> = {};

const names = [
  'Électricité',
  '100 % Maïs',
  'cent pour cent',
  'a_b',
  'aXb',
  "L'eau",
  'back\\slash',
  '😀 Cadeau',
  'Envoi',
];

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
const awa = await buildCaller(api);
const issa = await buildCaller(api, { firstName: 'Issa', email: 'issa@example.org' });
for (const [index, name] of names.entries()) {
  const owner = index % 2 === 0 ? awa : issa;
  const servicePath = [
    { id: 1, name: 'Racine', price: null, level: 1 },
    { id: 2, name, price: '1 000 FCFA', level: 2 },
  ];
  const { id } = await buildTicket(api.db, owner.user.id, {
    servicePath,
    createdAt: new Date(Date.UTC(2026, 0, index + 1)),
  });
  made[name] = id;
}
await api.pool.query("update tickets set status = 'approved' where id = any($1)", [[made.a_b, made.aXb]]);

type Listed = { id: number }[];
const ids = (body: Listed) => body.map((each) => each.id);
const newestFirst = (...wanted: string[]) => wanted.map((name) => made[name]).toSorted((a, b) => Number(b) - Number(a));
type Query = Record<string, string | number>;
const list = (query: Query) =>
  admin.get(`/api/admin/tickets?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`);

async function expectFound(query: Query, ...wanted: string[]) {
  const answer = await list(query);
  expect({ status: answer.status, ids: ids(answer.body) }).toEqual({ status: 200, ids: newestFirst(...wanted) });
  expect(answer.headers['x-total-count']).toBe(String(wanted.length));
}

describe("a user's own list", () => {
  test('holds their tickets only, newest first, with their number', async () => {
    const answer = await awa.client.get(`/api/tickets/user/${awa.user.id}`);
    expect(ids(answer.body)).toEqual(newestFirst(...names.filter((_, index) => index % 2 === 0)));
    expect(answer.body.every((ticket: { userId: number }) => ticket.userId === awa.user.id)).toBe(true);
    expect(answer.headers['x-total-count']).toBe('5');
    expect(answer.body[0]).not.toHaveProperty('fingerprint');
    expect(answer.body[0]).not.toHaveProperty('idempotencyKey');
    expect(answer.headers['cache-control']).not.toMatch(/public/);
  });

  test('goes page by page, and the number stays that of the whole', async () => {
    const whole = ids((await awa.client.get(`/api/tickets/user/${awa.user.id}`)).body);
    const pages: number[] = [];
    let before = '';
    for (let page = 0; page < 3; page += 1) {
      const answer = await awa.client.get(`/api/tickets/user/${awa.user.id}?limit=2${before}`);
      expect(answer.headers['x-total-count']).toBe('5');
      pages.push(...ids(answer.body));
      before = `&before=${pages.at(-1)}`;
    }
    expect(pages).toEqual(whole);
    expect(await awa.client.get(`/api/tickets/user/${awa.user.id}?limit=2${before}`)).toMatchObject({ body: [] });
  });
});

describe("the administrators' list", () => {
  test('is filtered by instants, both included, in any time zone', async () => {
    await expectFound({ from: '2026-01-08T00:00:00Z' }, '😀 Cadeau', 'Envoi');
    await expectFound({ from: '2026-01-08T00:00:00.001Z' }, 'Envoi');
    await expectFound({ to: '2026-01-02T00:00:00Z' }, 'Électricité', '100 % Maïs');
    await expectFound({ to: '2026-01-01T23:59:59.999Z' }, 'Électricité');
    await expectFound({ from: '2026-01-02T01:00:00+01:00', to: '2026-01-02T00:00:00Z' }, '100 % Maïs');
    await expectFound({ from: '2026-01-09T00:00:00Z', to: '2026-01-01T00:00:00Z' });
    for (const query of [
      { from: '2026-01-01' },
      { from: 'hier' },
      { to: '2026-13-01T00:00:00Z' },
      { to: "'; drop" },
      { from: '2024-01-01T00:00:00-23:59' },
      { to: '2024-01-01T00:00:00+16:00' },
      { from: `2024-01-01T00:00:00.${'0'.repeat(200)}Z` },
    ] as Query[])
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  });

  test('takes every character of a search as itself', async () => {
    await expectFound({ search: '%' }, '100 % Maïs');
    await expectFound({ search: '_' }, 'a_b');
    await expectFound({ search: 'a_b' }, 'a_b');
    await expectFound({ search: "'" }, "L'eau");
    await expectFound({ search: "' OR 1=1--" });
    await expectFound({ search: '\\' }, 'back\\slash');
    await expectFound({ search: '\\%' });
    await expectFound({ search: '$1' });
    await expectFound({ search: '"name"' });
    expect(await admin.get('/api/admin/tickets?search=a%00b')).toMatchObject({ status: 400 });
    expect(await list({ search: 'x'.repeat(460) })).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  });
});

test('a ticket outlives its user, its service and its payment type, with what was agreed', async () => {
  const { user, client } = await buildCaller(api);
  const path = await buildFinalService(api.db, { name: 'Éphémère' });
  const paymentType = await buildPaymentType(api.db);
  const { body: filed } = await client.post('/api/tickets', orderBody(path));
  onTestFinished(async () => void (await api.pool.query('delete from tickets where id = $1', [filed.id])));
  expect(await admin.delete(`/api/admin/services/${path.at(-1)?.id}`)).toMatchObject({ status: 200 });
  expect(await admin.delete(`/api/admin/payment-types/${paymentType.id}`)).toMatchObject({ status: 200 });
  expect((await client.get(`/api/tickets/user/${user.id}`)).body).toMatchObject([
    { id: filed.id, serviceId: null, paymentTypeId: null, paymentTypeName: 'Orange Money' },
  ]);
  expect(await admin.delete(`/api/admin/users/${user.id}`)).toMatchObject({ status: 200 });

  const { body } = await list({ search: 'Éphémère' });
  expect(body).toMatchObject([
    {
      id: filed.id,
      userId: null,
      user: null,
      serviceId: null,
      totalPrice: '1100',
      dialCode: filed.dialCode,
      servicePath: filed.servicePath,
    },
  ]);
  expect(await countRows(api, 'ticket_events', `ticket_id = ${filed.id} and actor_id is null`)).toBe(1);
});

describe('a ticket is found in any spelling', () => {
  let id: number;
  beforeAll(async () => {
    const { user } = await buildCaller(api, { firstName: 'Marie\u2011Claire', lastName: 'NʼGuessan' });
    const servicePath = ['Factures d’eau', 'Bobo–Dioulasso\u00a0Est'].map((name, place) => ({
      id: place + 1,
      name,
      price: null,
      level: place + 1,
    }));
    // Of a number that is shown with a space.
    await api.pool.query('alter table tickets alter column id restart with 417293');
    ({ id } = await buildTicket(api.db, user.id, { servicePath, beneficiaryPhoneNumber: '+22670998877' }));
  });
  afterAll(() => api.pool.query('delete from tickets where id = $1', [id]));

  test.each([
    'n° 417293',
    '#417293',
    '417 293',
    'Ticket n° 417 293',
    'T417293',
    'bobo-dioulasso',
    'Bobo\u2011Dioulasso est',
    "factures d'eau",
    'FACTURES D`EAU',
    'est eau',
    "Factures d'eau → Bobo-Dioulasso Est",
    'Ｂｏｂｏ',
    "n'guessan",
    'marie–claire',
    '70/99/88/77',
    '\u202a0022670998877\u202c',
  ])('%j', async (search) => {
    expect(ids((await list({ search })).body)).toEqual([id]);
  });

  test.each(['n° 417294', 'bobo eau introuvable', 'n"guessan', '70/99/88/78'])('and %j finds none', async (search) => {
    expect((await list({ search })).body).toEqual([]);
  });
});
