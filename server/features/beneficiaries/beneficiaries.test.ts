import { expect, test } from 'vitest';
import { beneficiariesAtMost, beneficiaryNameLength } from '#contract/beneficiaries.ts';
import { buildAdmin, buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();

const save = (client: TestClient, phone: string, name: string) =>
  client.send('PUT', `/api/beneficiaries/${phone}`, { name });
const forget = (client: TestClient, phone: string) => client.delete(`/api/beneficiaries/${phone}`);
async function list(client: TestClient): Promise<{ phone: string; name: string }[]> {
  const { status, body } = await client.get('/api/beneficiaries');
  expect(status).toBe(200);
  return body;
}
const numbered = (place: number) => `+22670${String(place).padStart(6, '0')}`;

test('a number gets a name, another one, and none again; the list stands by name, whatever its accents', async () => {
  const { client } = await buildCaller(api);
  expect(await list(client)).toEqual([]);
  expect(await save(client, '+22670123456', '  Maman ')).toMatchObject({
    status: 200,
    body: { phone: '+22670123456', name: 'Maman' },
  });
  await save(client, '+2250701234567', 'zoé');
  await save(client, '+22990112233', 'x');
  await save(client, '+22970000000', 'x');
  await save(client, '+22890112345', 'Élie');
  expect((await list(client)).map(({ name }) => name)).toEqual(['Élie', 'Maman', 'zoé']);
  await save(client, '+22670123456', 'Tantie');
  expect((await list(client)).map(({ name }) => name)).toEqual(['Élie', 'Tantie', 'zoé']);
  await save(client, '+22770000001', 'Élie 10');
  await save(client, '+22770000002', 'élie 9');
  const names = (await list(client)).map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['Élie', 'élie 9', 'Élie 10']);
  for (const phone of ['+22770000001', '+22770000002']) await forget(client, phone);
  for (const _ of [1, 2]) expect(await forget(client, '+22890112345')).toMatchObject({ status: 200 });
  expect(await list(client)).toEqual([
    { phone: '+22670123456', name: 'Tantie' },
    { phone: '+2250701234567', name: 'zoé' },
  ]);
});

test.each([
  ['70123456', 'INVALID', 'params without a country'],
  ['+22670 12 34 56', 'INVALID', 'spaces'],
  ['+33612345678', 'PHONE_INVALID', 'a country that is not served'],
  ['+22620123456', 'PHONE_INVALID', 'a fixed line'],
  ['+22997123456', 'PHONE_INVALID', 'an old number of Benin'],
])('%s is refused with %s: %s', async (phone, code) => {
  const { client } = await buildCaller(api);
  expect(await save(client, phone, 'Maman')).toMatchObject({ status: 400, body: { code } });
  expect(await list(client)).toEqual([]);
});

test.each([
  ['', 'Saisissez un nom.'],
  ['   ', 'Saisissez un nom.'],
  ['\u200d', 'Saisissez un nom.'],
  ['a'.repeat(beneficiaryNameLength + 1), `Ce champ est limité à ${beneficiaryNameLength} caractères.`],
])('the name %j is refused at its field', async (name, message) => {
  const { client } = await buildCaller(api);
  expect(await save(client, '+22670123456', name)).toMatchObject({
    status: 400,
    body: { code: 'INVALID', issues: [{ path: 'name', message }] },
  });
  expect(await list(client)).toEqual([]);
});

test('nobody reads, changes or deletes the names of another person, an administrator neither', async () => {
  const { client } = await buildCaller(api);
  await save(client, '+22670123456', 'Maman');
  for (const { client: other } of [await buildCaller(api), await buildAdmin(api)]) {
    expect(await list(other)).toEqual([]);
    await save(other, '+22670123456', 'Directeur');
    await forget(other, '+22670123456');
    expect(await list(other)).toEqual([]);
  }
  expect(await list(client)).toEqual([{ phone: '+22670123456', name: 'Maman' }]);
});

test('a person has so many at most, however many they save at once; a known one is still renamed', async () => {
  const { client, user } = await buildCaller(api);
  await api.pool.query(
    `insert into beneficiaries (user_id, phone, name)
     select $1, '+22671' || lpad(n::text, 6, '0'), 'Client ' || n from generate_series(1, $2::int) n`,
    [user.id, beneficiariesAtMost - 2],
  );
  const answers = await Promise.all([1, 2, 3, 4, 5].map((place) => save(client, numbered(place), `Nouveau ${place}`)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(3);
  for (const { status, body } of refused) {
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'BENEFICIARIES_FULL' });
    expect(body.message).toContain(`${beneficiariesAtMost} bénéficiaires`);
  }
  expect(await list(client)).toHaveLength(beneficiariesAtMost);
  expect(await save(client, '+22671000001', 'Premier client')).toMatchObject({ status: 200 });
  await forget(client, '+22671000002');
  expect(await save(client, numbered(9), 'Dernier')).toMatchObject({ status: 200 });
});
