import { expect, test } from 'vitest';
import { serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildPaymentType, buildService } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
await buildPaymentType(api.db);

const ask = (id: number | undefined, userPrice: number | string) =>
  api.client().get(`/api/commission/${id}?userPrice=${userPrice}`);

test('hidden branches are invisible at every depth, to people, to guests and in the commission', async () => {
  const chain: { id: number; level: number }[][] = [];
  for (const level of [1, 2, 3, 4]) chain.push(await buildService(api.db, { name: `Étage ${level}` }, chain.at(-1)));
  chain.push(await buildService(api.db, { name: 'Bout', isFinalLevel: true }, chain.at(-1)));
  const ids = chain.map((path) => path.at(-1)?.id as number);
  const listed = async (parentId?: number) => {
    const answer = await api
      .client()
      .get(parentId === undefined ? '/api/services' : `/api/services?parentId=${parentId}`);
    expect(answer.status).toBe(200);
    return answer.body.map((each: { id: number }) => each.id) as number[];
  };
  /** Whether each of the five is listed under its parent. */
  const visible = async () => {
    const lists = await Promise.all([undefined, ...ids.slice(0, 4)].map(listed));
    return ids.map((id, index) => lists[index]?.includes(id));
  };
  expect(await visible()).toEqual([true, true, true, true, true]);
  for (const [depth, id] of ids.entries()) {
    const hidden = await admin.put(`/api/admin/services/${id}`, serviceForm({ isVisible: false }));
    expect(hidden).toMatchObject({ status: 200, body: { isVisible: false } });
    expect(await visible()).toEqual(ids.map((_, index) => index < depth));
    expect(await ask(ids[4], 100)).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
    const all = (await admin.get('/api/admin/services')).body.map((each: { id: number }) => each.id);
    expect(all).toEqual(expect.arrayContaining(ids));
    await admin.put(`/api/admin/services/${id}`, serviceForm({ isVisible: true }));
  }
  expect(await visible()).toEqual([true, true, true, true, true]);
});
