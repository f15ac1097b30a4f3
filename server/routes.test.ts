import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertImage } from '#server/features/uploads/store.ts';
import { findUser, type UserRow } from '#server/features/users/store.ts';
import { buildAdmin, buildFinalService, buildUser, signInAs } from '#server/testing/builders.ts';
import { watchRows } from '#server/testing/digest-of-rows.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import type { CallerKind, Expected, RouteStage } from '#server/testing/route-rows.ts';
import { routeTable } from '#server/testing/route-table.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let stage: RouteStage;
let digestOfRows: () => Promise<string>;

beforeAll(async () => {
  api = await startTestApi();
  digestOfRows = await watchRows(api.pool);
  await api.client().post('/api/init-data', {});
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } })
    .png()
    .toBuffer();
  stage = {
    api,
    userA: await buildUser(api.db),
    userB: await buildUser(api.db),
    administrator: (await buildAdmin(api)).user,
    path: await buildFinalService(api.db),
    image: await insertImage(api.db, { webp: png }),
    png,
  };
});
afterAll(() => api.close());

/** As they are now: one of the calls changes their passwords. */
const signInAgain = async ({ id }: { id: number }) => signInAs(api, (await findUser(api.db, id)) as UserRow);

/** The six callers, each with a session of its own; a guest may end with the call, so it is a new one every time. */
const callers: Record<CallerKind, () => Promise<TestClient>> = {
  'signed out': async () => api.client(),
  guest: async () =>
    signInAs(
      api,
      await buildUser(api.db, { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null }),
    ),
  unverified: async () => signInAs(api, await buildUser(api.db, { isVerified: false })),
  'user A': async () => signInAgain(stage.userA),
  'user B': async () => signInAgain(stage.userB),
  administrator: async () => signInAgain(stage.administrator),
};

const table = routeTable(() => stage);

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const split = (call: string) => call.split(' ') as [Method, string];

const routes = () => api.routes.filter(({ method }) => method !== 'HEAD').map(({ method, url }) => `${method} ${url}`);
const isOfDocs = (route: string) => / \/api\/docs(?:\/|$)/.test(route);

test('every registered route is in the table, and every row of the table is registered', () => {
  const ours = routes().filter((route) => / \/(?:api|uploads)\//i.test(route) && !isOfDocs(route));
  expect(ours.length).toBeGreaterThan(40);
  expect(ours.toSorted()).toEqual(Object.keys(table).toSorted());
});

test("what is not in the table, the page of the API's document and the built web app, is only read", () => {
  const others = routes().filter((route) => !(route in table));
  expect(others.filter(isOfDocs)).toContain('GET /api/docs');
  expect(others.filter((route) => !route.startsWith('GET '))).toEqual([]);
  expect(api.routes.filter(({ method }) => !['GET', 'HEAD'].includes(method)).length).toBeGreaterThan(20);
});

test("the page of the API's document is open to everyone, and the same for everyone", async () => {
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

test.each(Object.entries(table))(
  '%s answers each caller as the table says, and HEAD nobody',
  async (call, { expected, make }) => {
    const [method, route] = split(call);
    const seen: Expected = {};
    const prepared = [];
    for (const [kind, makeCaller] of Object.entries(callers)) {
      const { url = route, ...rest } = (await make?.()) ?? {};
      prepared.push({ kind, url, ...rest, client: await makeCaller() });
    }
    // Whoever is refused changes nothing, so the rows before one are those after the one before.
    let before: string | undefined;
    for (const { kind, url, body, headers, client } of prepared) {
      if (typeof expected[kind] === 'string') before ??= await digestOfRows();
      const answer = await client.send(method, url, body, headers);
      seen[kind] = answer.status < 400 ? answer.status : `${answer.status} ${answer.body.code}`;
      if (method === 'GET') {
        const head = await api.app.inject({ method: 'HEAD', url, cookies: Object.fromEntries(client.cookies) });
        const status = /^\/api\/(?!health\/|openapi\.json)/.test(url) ? 404 : answer.status;
        expect([kind, head.statusCode, head.body], 'HEAD has no effects').toEqual([kind, status, '']);
      }
      if (answer.status < 400) before = undefined;
      else if (before !== undefined) expect(await digestOfRows(), `${kind} was refused and changed a row`).toBe(before);
    }
    expect(seen).toEqual(expected);
  },
);

const adminOnly = Object.entries(table).filter(([, { expected }]) => expected['user A'] === '403 FORBIDDEN');
test.each(adminOnly)('%s is refused with the user-id header of an administrator', async (call, { make }) => {
  const [method, route] = split(call);
  const forged = { 'x-user-id': String(stage.administrator.id), 'x-forwarded-user': String(stage.administrator.id) };
  const { url = route, body } = (await make?.()) ?? {};
  const clients = {
    'signed out': await callers['signed out'](),
    guest: await callers.guest(),
    a: await callers['user A'](),
  };
  const before = await digestOfRows();
  const seen: Record<string, number> = {};
  for (const [kind, client] of Object.entries(clients))
    seen[kind] = (await client.send(method, `${url}?userId=${stage.administrator.id}`, body, forged)).status;
  expect(seen).toEqual({ 'signed out': 401, guest: 403, a: 403 });
  expect(await digestOfRows()).toBe(before);
});

test('the table holds every admin call there is', () => {
  const declared = endpoints.filter(({ access }) => access === 'admin');
  expect(adminOnly.length).toBe(declared.length);
  expect(declared.length).toBeGreaterThan(15);
});
