import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAdmin, buildService, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());

const readUse = (id: number | undefined) => admin.get(`/api/admin/services/${id}/use`);

test("a service's use is what hangs below it, at any depth, and the tickets of all of that", async () => {
  const { id: userId } = await buildUser(api.db);
  const root = await buildService(api.db);
  const family = await buildService(api.db, {}, root);
  const [a, b] = [await buildService(api.db, {}, family), await buildService(api.db, {}, family)];
  const below = await buildService(api.db, {}, a);
  const [other] = await buildService(api.db);
  for (const service of [below, below, b, family])
    await buildTicket(api.db, userId, { serviceId: service.at(-1)?.id ?? null });
  await buildTicket(api.db, userId, { serviceId: other?.id ?? null });
  await buildTicket(api.db, userId, { serviceId: null });

  const expected: [typeof root, descendants: number, tickets: number][] = [
    [root, 4, 4],
    [family, 3, 4],
    [a, 1, 2],
    [below, 0, 2],
    [b, 0, 1],
  ];
  for (const [path, descendants, tickets] of expected) {
    const { status, body } = await readUse(path.at(-1)?.id);
    expect({ status, body }).toEqual({ status: 200, body: { descendants, tickets } });
  }
  expect((await readUse(other?.id)).body).toEqual({ descendants: 0, tickets: 1 });
});
