import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { findUser, type UserRow } from '#server/features/users/store.ts';
import { buildAdmin, buildUser, signInAs } from '#server/testing/builders.ts';
import { watchRows } from '#server/testing/digest-of-rows.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { examples } from '#server/testing/examples.ts';
import { makeRequest, setStage } from '#server/testing/stage.ts';
import { request, startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();
const digestOfRows = await watchRows(api.pool);
await api.client().post('/api/init-data', {});
const administrator = (await buildAdmin(api)).user;
const other = await buildUser(api.db);
const owner = await buildUser(api.db);

/** As they are now: some calls change their passwords. */
const signInAgain = async ({ id }: { id: number }) => signInAs(api, (await findUser(api.db, id)) as UserRow);

/** The six callers, each with a session of its own; a guest may end with the call, so it is a new one every time. */
const callers = {
  'signed out': async () => api.client(),
  guest: async () =>
    signInAs(
      api,
      await buildUser(api.db, { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null }),
    ),
  unverified: async () => signInAs(api, await buildUser(api.db, { isVerified: false })),
  owner: async () => signInAgain(owner),
  'another one': async () => signInAgain(other),
  administrator: async () => signInAgain(administrator),
} satisfies Record<string, () => Promise<TestClient>>;

/** What an endpoint answers each caller, from its access, and, where its path names a person or their thing, from whose it is. */
function expectedOf({ access, path, status = 200, failures }: Endpoint): Record<keyof typeof callers, number | string> {
  const signedOut = access === 'anyone' ? status : '401 NOT_SIGNED_IN';
  const [guest, unverified] = {
    anyone: [status, status],
    'signed-in': [status, status],
    verified: ['403 GUEST', '403 PHONE_NOT_VERIFIED'],
    admin: ['403 FORBIDDEN', '403 FORBIDDEN'],
  }[access] as [number | string, number | string];
  const notTheirs = failures.find((code) => code.endsWith('_NOT_FOUND')) ?? 'NOT_FOUND';
  const isPersonal = access === 'verified' && /\/:(?:id|userId)/.test(path);
  const ofOthers = path.includes(':userId') ? '403 FORBIDDEN' : `404 ${notTheirs}`;
  const person = access === 'admin' ? '403 FORBIDDEN' : status;
  return {
    'signed out': signedOut,
    guest,
    unverified,
    owner: person,
    'another one': isPersonal ? ofOthers : person,
    administrator: isPersonal && !path.includes(':userId') ? ofOthers : status,
  };
}

test("every registered route is an endpoint, or only read: images, the API's document, the web app", () => {
  const routes = api.routes.filter(({ method }) => method !== 'HEAD');
  const declared = endpoints.map(({ method, path }) => `${method} ${path}`);
  const isDeclared = ({ method, url }: (typeof routes)[number]) => declared.includes(`${method} ${url}`);
  expect(routes.filter(isDeclared)).toHaveLength(declared.length);
  const others = routes.filter((route) => !isDeclared(route));
  expect(others.filter(({ method }) => method !== 'GET')).toEqual([]);
  const ofApi = others.filter(({ url }) => /^\/(?:api|uploads)\//i.test(url));
  expect(ofApi.map(({ url }) => url).toSorted()).toEqual(['/api/openapi.json', '/uploads/*']);
  expect(Object.keys(examples).filter((name) => !endpoints.some(({ operation }) => operation === name))).toEqual([]);
});

test.each(endpoints.map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s answers each caller as its access says, whomever a header names, refused calls change nothing, and HEAD answers nobody',
  async (_, endpoint) => {
    const expected = expectedOf(endpoint);
    const seen: Record<string, number | string> = {};
    const prepared = [];
    let stage = setStage(api, owner);
    for (const [kind, makeCaller] of Object.entries(callers) as [keyof typeof callers, () => Promise<TestClient>][]) {
      const person = endpoint.path.includes('/users/:id') ? await buildUser(api.db) : owner;
      prepared.push({
        kind,
        request: await makeRequest(endpoint, { ...stage, owner: person }),
        client: await makeCaller(),
      });
      // Whoever is let in may leave nothing for the next one.
      if (typeof expected[kind] === 'number') stage = setStage(api, owner);
    }
    // Whoever is refused changes nothing, so the rows before one are those after the one before.
    let before: string | undefined;
    const forged = { 'x-user-id': `${administrator.id}`, 'x-forwarded-user': `${administrator.id}` };
    for (const { kind, request, client } of prepared) {
      const { method, url, body, headers } = request;
      if (typeof expected[kind] === 'string') before ??= await digestOfRows();
      const answer = await client.send(method, url, body, { ...headers, ...forged });
      seen[kind] = answer.status < 400 ? answer.status : `${answer.status} ${answer.body.code}`;
      if (method === 'GET') {
        const head = await api.app.inject({ method: 'HEAD', url, cookies: Object.fromEntries(client.cookies) });
        const status = url.startsWith('/api/health/') ? answer.status : 404;
        expect([kind, head.statusCode, head.body], 'HEAD has no effects').toEqual([kind, status, '']);
      }
      if (answer.status < 400) before = undefined;
      else if (before !== undefined) expect(await digestOfRows(), `${kind} was refused and changed a row`).toBe(before);
    }
    expect(seen).toEqual(expected);
  },
);

test('what is refused is counted: of every endpoint, and of what is nowhere, the first call of an address beyond its limit is 429', async () => {
  const requestsPerPeriod = 3;
  const few = await startTestApi({ rateLimits: 'on', requestsPerPeriod, trustProxy: ['127.0.0.1'] });
  const nowhere = (['GET', 'POST'] as const).map((method) => ({ method, path: '/api/nowhere' }));
  const seen: Record<string, number[]> = {};
  for (const [index, { method, path }] of [...endpoints, ...nowhere].entries()) {
    const url = path.replace(/:\w+/g, '1');
    // Of another site, with a session that nobody has: what is open to anyone is refused as well.
    const headers = {
      'x-forwarded-for': `2001:db8:0:${index.toString(16)}::1`,
      'sec-fetch-site': 'cross-site',
      cookie: `guichet_session=${randomUUID()}`,
    };
    const statuses: number[] = [];
    for (let call = 0; call <= requestsPerPeriod; call += 1)
      statuses.push((await request(few.app, { method, url, headers })).statusCode);
    seen[`${method} ${path}`] = statuses;
  }
  const wrong = Object.entries(seen).filter(
    ([, statuses]) =>
      statuses.at(-1) !== 429 || !statuses.slice(0, -1).every((status) => [401, 403, 404].includes(status)),
  );
  expect(wrong).toEqual([]);
});

test('an edit that says nothing changes nothing of a row but its version, or is refused in words: never an error of ours', async () => {
  const edits = endpoints.filter(({ method }) => method === 'PUT' || method === 'PATCH');
  const seen: [string, number][] = [];
  for (const endpoint of edits) {
    const { method, url } = await makeRequest(endpoint, setStage(api, owner));
    const client = await (endpoint.access === 'admin' ? callers.administrator() : callers.owner());
    const { upload } = endpoint;
    const form = new FormData();
    if (upload?.dataField) form.set(upload.dataField, '{}');
    seen.push([endpoint.operation, (await client.send(method, url, upload ? form : {})).status]);
  }
  expect(seen.filter(([, status]) => ![200, 400, 403].includes(status))).toEqual([]);
});
