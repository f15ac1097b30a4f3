import { describe, expect, test } from 'vitest';
import { countRows, serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildFinalService, buildService } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

type Path = { id: number; level: number }[];
const idOf = (path: Path) => path.at(-1)?.id ?? 0;
const create = (data: object) => admin.post('/api/services', serviceForm({ name: 'Nouveau', ...data }));
const change = (id: number, data: object) => admin.put(`/api/admin/services/${id}`, serviceForm(data));

/** A chain of that many services, one under the other. */
async function buildChain(length: number, under: Path = []): Promise<Path> {
  let path = under;
  for (let count = 0; count < length; count += 1) path = await buildService(api.db, {}, path);
  return path;
}

async function shape(...ids: number[]) {
  const { rows } = await api.pool.query<{ id: number; level: number; parent_id: number | null }>(
    'select id, level, parent_id from services where id = any($1)',
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)).map((row) => row && [row.level, row.parent_id]);
}

const refusedAs = (message: string) => ({ status: 400, body: { code: 'TREE_INVALID', message } });
const tooDeep = refusedAs('Le catalogue a 5 niveaux au plus.');
const finalHoldsNone = refusedAs("Un service final ne peut pas contenir d'autres services.");
const notInItself = refusedAs('Un service ne peut pas se contenir lui-même.');

describe('the place of a new service', () => {
  test('is one level under its parent, down to the fifth and no further', async () => {
    let parentId: number | null = null;
    for (const level of [1, 2, 3, 4, 5]) {
      const answer = await create({ parentId, level });
      expect(answer).toMatchObject({ status: 201, body: { level, parentId } });
      parentId = answer.body.id;
    }
    const before = await countRows(api, 'services');
    expect(await create({ parentId })).toMatchObject(tooDeep);
    expect(await create({ parentId, level: 5 })).toMatchObject(tooDeep);
    expect(await countRows(api, 'services')).toBe(before);
  });

  test('follows from the parent; a level that does not follow is refused', async () => {
    const [root] = await buildChain(1);
    const before = await countRows(api, 'services');
    expect(await create({ level: 2 })).toMatchObject(refusedAs('À cet endroit du catalogue, le niveau est 1.'));
    for (const level of [1, 3])
      expect(await create({ parentId: root?.id, level })).toMatchObject(
        refusedAs('À cet endroit du catalogue, le niveau est 2.'),
      );
    expect(await countRows(api, 'services')).toBe(before);
    expect(await create({ parentId: root?.id })).toMatchObject({ status: 201, body: { level: 2 } });
  });
});

describe('moving', () => {
  test('takes everything below along, up and down', async () => {
    const chain = await buildChain(4);
    const [a, b, c, d] = chain.map((each) => each.id) as [number, number, number, number];
    const second = await buildService(api.db, { name: 'Frère' }, chain.slice(0, 3));
    expect(await change(b, { parentId: null, level: 1 })).toMatchObject({ status: 200, body: { level: 1 } });
    expect(await shape(a, b, c, d, idOf(second))).toEqual([
      [1, null],
      [1, null],
      [2, b],
      [3, c],
      [3, c],
    ]);
    const host = await buildChain(2);
    expect(await change(b, { parentId: idOf(host) })).toMatchObject({ status: 200, body: { level: 3 } });
    expect(await shape(b, c, d, idOf(second))).toEqual([
      [3, idOf(host)],
      [4, b],
      [5, c],
      [5, c],
    ]);
  });

  test('below itself, at any depth, is refused', async () => {
    const chain = await buildChain(4);
    const before = await shape(...chain.map((each) => each.id));
    const [a] = chain;
    for (const { id } of chain) expect(await change(a?.id ?? 0, { parentId: id })).toMatchObject(notInItself);
    expect(await shape(...chain.map((each) => each.id))).toEqual(before);
  });

  test('is refused when the deepest of what is moved would be on a sixth level', async () => {
    const moved = await buildChain(3);
    const host = await buildChain(3);
    expect(await change(moved[0]?.id ?? 0, { parentId: idOf(host), name: 'Trop bas' })).toMatchObject(tooDeep);
    expect(await shape(...moved.map((each) => each.id))).toEqual([
      [1, null],
      [2, moved[0]?.id],
      [3, moved[1]?.id],
    ]);
    expect(await countRows(api, 'services', `name = 'Trop bas'`)).toBe(0);
    expect(await change(moved[0]?.id ?? 0, { parentId: host[1]?.id })).toMatchObject({ status: 200 });
    expect(await shape(idOf(moved))).toEqual([[5, moved[1]?.id]]);
  });

  test('under a final or an unknown service is refused', async () => {
    const final = await buildFinalService(api.db);
    const [moved] = await buildChain(1);
    expect(await change(moved?.id ?? 0, { parentId: idOf(final) })).toMatchObject(finalHoldsNone);
    expect(await change(moved?.id ?? 0, { parentId: 2_000_000_000 })).toMatchObject(
      refusedAs("Le service parent n'existe pas."),
    );
    expect(await shape(moved?.id ?? 0)).toEqual([[1, null]]);
  });

  test('many at once, wherever they go, leave a tree of five levels whose levels are right', async () => {
    const nodes = [...(await buildChain(4)), ...(await buildChain(3)), ...(await buildChain(2))].map((each) => each.id);
    const moves = nodes.flatMap((id, index) => [
      change(id, { parentId: nodes[(index * 5 + 3) % nodes.length] }),
      change(id, { parentId: nodes[(index * 7 + 1) % nodes.length] }),
    ]);
    const statuses = (await Promise.all(moves)).map((answer) => answer.status);
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await countUnreachable()).toBe(0);
  });
});

/** Services that no root leads to, or whose level is not their distance from it: cycles and wrong levels. */
async function countUnreachable(): Promise<number> {
  const { rows } = await api.pool.query<{ count: number }>(`
    with recursive down(id, depth) as (
      select id, 1 from services where parent_id is null
      union all select child.id, depth + 1 from services child join down on child.parent_id = down.id where depth < 9
    )
    select count(*)::int as count from services left join down using (id)
    where down.id is null or down.depth <> services.level or down.depth > 5`);
  return rows[0]?.count ?? -1;
}

describe('final services and deletion', () => {
  test('a service with children is not deleted, and the answer says how many there are', async () => {
    const [root] = await buildChain(1);
    const children = [await buildService(api.db, {}, root && [root]), await buildService(api.db, {}, root && [root])];
    const grandchild = await buildService(api.db, {}, children[0]);
    const answer = await admin.delete(`/api/admin/services/${root?.id}`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'HAS_CHILDREN', children: 2 } });
    expect(await countRows(api, 'services', `id = ${root?.id}`)).toBe(1);
    for (const id of [idOf(grandchild), ...children.map(idOf), root?.id])
      expect(await admin.delete(`/api/admin/services/${id}`)).toMatchObject({ status: 200 });
  });

  test('a service gets a child while it is deleted or made final: one of the two is refused', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [id, other] = [idOf(await buildChain(1)), idOf(await buildChain(1))];
      const [deleted, child] = await Promise.all([
        admin.delete(`/api/admin/services/${id}`),
        create({ parentId: id, name: 'Enfant' }),
      ]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([deleted.status, child.status]);
      const [final, second] = await Promise.all([
        change(other, { isFinalLevel: true }),
        create({ parentId: other, name: 'Enfant' }),
      ]);
      expect([
        [200, 400],
        [400, 201],
      ]).toContainEqual([final.status, second.status]);
    }
    const { rows } = await api.pool.query(
      'select p.id from services p join services c on c.parent_id = p.id where p.is_final_level',
    );
    expect(rows).toEqual([]);
  });
});

test('order is by sort order, then by age, for people and for administrators', async () => {
  const [root] = await buildChain(1);
  const under = root ? [root] : [];
  const ids: Record<string, number> = {};
  for (const [name, sortOrder] of [
    ['d', 5],
    ['b', 0],
    ['a', -1],
    ['c', 0],
  ] as const)
    ids[name] = idOf(await buildService(api.db, { name, sortOrder }, under));
  const names = (body: { name: string; parentId: number | null }[]) =>
    body.filter((each) => each.parentId === root?.id).map((each) => each.name);
  expect(names((await api.client().get(`/api/services?parentId=${root?.id}`)).body)).toEqual(['a', 'b', 'c', 'd']);
  const admins = await admin.get('/api/admin/services');
  expect(names(admins.body)).toEqual(['a', 'b', 'c', 'd']);
  await change(ids.d ?? 0, { sortOrder: -9 });
  expect(names((await api.client().get(`/api/services?parentId=${root?.id}`)).body)).toEqual(['d', 'a', 'b', 'c']);
});
