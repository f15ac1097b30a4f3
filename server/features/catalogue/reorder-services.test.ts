import { describe, expect, test } from 'vitest';
import { buildAdmin, buildService } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const reorder = (parentId: number | null, ids: unknown, expectedIds?: unknown) =>
  admin.put('/api/admin/service-order', { parentId, ids, expectedIds });

/** A family with three services, of the same sort order. */
async function buildFamily() {
  const root = await buildService(api.db, { name: 'Famille' });
  const children = [];
  for (const name of ['a', 'b', 'c']) children.push((await buildService(api.db, { name }, root)).at(-1)?.id ?? 0);
  return { parentId: root[0]?.id ?? 0, children };
}

const idsIn = (list: { id: number }[]) => list.map(({ id }) => id);
const orderOf = async (parentId: number) => idsIn((await api.client().get(`/api/services?parentId=${parentId}`)).body);

test('the services under a parent get the order that they are named in', async () => {
  const { parentId, children } = await buildFamily();
  const wanted = children.toReversed();
  const answer = await reorder(parentId, wanted);
  expect(answer.status).toBe(200);
  expect(answer.body.map(({ id, sortOrder }: { id: number; sortOrder: number }) => [id, sortOrder])).toEqual(
    wanted.map((id, index) => [id, (index + 1) * 10]),
  );
  expect(answer.body[0]).toHaveProperty('operatorNote');
  expect(await orderOf(parentId)).toEqual(wanted);
});

test('one too few, too many, twice or from elsewhere: the services have changed, and stay in their order', async () => {
  const { parentId, children } = await buildFamily();
  const [a = 0, b = 0, c = 0] = children;
  const other = await buildFamily();
  const wrong = [[c, b], [c, b, a, other.parentId], [c, b, b], [c, b, a, a], [c, b, other.children[0]], [2147483647]];
  for (const ids of wrong)
    expect(await reorder(parentId, ids), String(ids)).toMatchObject({ status: 409, body: { code: 'ORDER_CHANGED' } });
  for (const parent of [null, other.parentId, a, 2147483647])
    expect(await reorder(parent, [c, b, a])).toMatchObject({ status: 409, body: { code: 'ORDER_CHANGED' } });
  expect(await orderOf(parentId)).toEqual(children);
});

describe('an order that was made from another one', () => {
  const refused = { status: 409, body: { code: 'CHANGED_MEANWHILE' } };

  test('is refused, and what is there stays; what has just come need not have been seen', async () => {
    const { parentId, children } = await buildFamily();
    const [a = 0, b = 0, c = 0] = children;
    expect((await reorder(parentId, [b, a, c], children)).status).toBe(200);
    for (const seen of [children, [b, a, c, 2147483647], [b, b, a, c]])
      expect(await reorder(parentId, [c, a, b], seen)).toMatchObject(refused);
    expect(await orderOf(parentId)).toEqual([b, a, c]);
    expect((await reorder(parentId, [c, b, a], [b, a])).status).toBe(200);
    expect((await reorder(parentId, [a, b, c])).status).toBe(200);
    // The same again, whatever it was made from: a lost answer is asked for twice.
    expect((await reorder(parentId, [a, b, c], [c, b, a])).status).toBe(200);
    expect(await reorder(parentId, [c, b, a], ['1'])).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  });
});
