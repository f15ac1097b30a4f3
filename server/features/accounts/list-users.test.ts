import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildAdmin, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const ids: Record<string, number> = {};

const api = await startTestApi();
const people = {
  awa: { firstName: 'Awa', lastName: 'OUÉDRAOGO', phone: '+22670111111', email: 'awa70@example.bf' },
  issa: { firstName: 'Issa', lastName: 'Traoré', phone: '+22365222222', countryCode: '+223', isVerified: false },
  mariam: { firstName: 'Mariam 100%', lastName: 'Sow_Ba', phone: '+221771333333', email: 'Mariam.Sow@Example.sn' },
  closed: {
    firstName: 'Paul',
    lastName: 'Zongo',
    phone: '+22676444444',
    isVerified: false,
    deactivatedAt: new Date(),
  },
};
for (const [name, fields] of Object.entries(people)) ids[name] = (await buildUser(api.db, fields)).id;
ids.guest = (await api.client().post('/api/auth/guest')).body.user.id;
const { client: admin, user } = await buildAdmin(api);
await api.pool.query("update users set last_name = 'Diallo' where id = $1", [user.id]);
ids.admin = user.id;

const names = (rows: { id: number }[]) => rows.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
const search = async (text: string) =>
  names((await admin.get(`/api/admin/users?search=${encodeURIComponent(text)}`)).body);

test('a page and how many there are in all are of one moment, while people come and go', async () => {
  let isRead = false;
  const comeAndGo = async () => {
    while (!isRead) {
      const { id } = await buildUser(api.db, { email: 'passant@example.bf' });
      await api.pool.query('delete from users where id = $1', [id]);
    }
  };
  const read = async () => {
    for (let turn = 0; turn < 10; turn += 1)
      for (const search of ['', '&search=example']) {
        const { body, headers } = await admin.get(`/api/admin/users?limit=50${search}`);
        expect(headers['x-total-count']).toBe(String(body.length));
      }
  };
  await Promise.all([
    comeAndGo(),
    read().finally(() => {
      isRead = true;
    }),
  ]);
});

test.each([
  ['kind=registered', ['admin', 'closed', 'mariam', 'issa', 'awa']],
  ['kind=verified', ['mariam', 'awa']],
  ['kind=unverified', ['closed', 'issa']],
  ['kind=deactivated', ['closed']],
  ['kind=admin', ['admin']],
  ['kind=guest', ['guest']],
  ['countryCode=%2B223', ['issa']],
  ['kind=unverified&countryCode=%2B226&search=zongo', ['closed']],
])('%s are %j, and as many are counted', async (query, found) => {
  const { body, headers } = await admin.get(`/api/admin/users?${query}`);
  expect(names(body)).toEqual(found);
  expect(headers['x-total-count']).toBe(String(found.length));
  const isClosed = ({ isDeactivated }: { isDeactivated: boolean }) => isDeactivated;
  expect(names(body.filter(isClosed))).toEqual(found.filter((name) => name === 'closed'));
});

describe('search', () => {
  test.each([
    ['awa', ['awa']],
    ['  Traoré ', ['issa']],
    ['ouédraogo', ['awa']],
    ['issa traoré', ['issa']],
    ['mariam.sow@example.SN', ['mariam']],
    ['example', ['mariam', 'awa']],
    ['70111111', ['awa']],
    ['+226 70 11', ['awa']],
    ['+226', ['admin', 'closed', 'awa']],
    ['invité', ['guest']],
    ['Ouedraogo', ['awa']],
    ['70-11.11(11)', ['awa']],
    ['7', ['admin', 'closed', 'mariam', 'awa']],
    ['(', []],
    ['personne', []],
  ])('%o finds %o', async (text, found) => {
    expect(await search(text)).toEqual(found);
  });

  describe('in any spelling', () => {
    beforeAll(async () => {
      const others = {
        ngue: { firstName: 'Marie\u2011Claire', lastName: 'N’Guessan\u00a0Koffi', phone: '+22670112233' },
        deux: { firstName: 'Aïcha  Awa', lastName: 'O\u0301ury Ɛlvis' },
      };
      for (const [name, fields] of Object.entries(others)) ids[name] = (await buildUser(api.db, fields)).id;
    });
    afterAll(async () => {
      await api.pool.query('delete from users where id = any($1)', [[ids.ngue, ids.deux]]);
    });

    test.each([
      '+226 70 11 22 33',
      '70/11/22/33',
      'tel:+226-70-11-22-33',
      '７０１１２２３３',
      '\u202a+226 70 11 22 33\u202c',
      '7\ufe0d0112233',
      '00226 70.11.22',
      "N'Guessan",
      'n‘guessan koffi',
      'KOFFI  N’Guessan',
      'Marie‑Claire koffi',
      'claire\u00a0marie',
      'Ｋｏｆｆｉ',
    ])('%j finds her', async (text) => {
      expect(await search(text)).toEqual(['ngue']);
    });

    test.each(['awa aïcha', 'Aicha Awa', 'óury', 'OURY awa', 'O\u0301ury', 'ɛLVIS', 'elvis Ɛlvis'.slice(6)])(
      '%j finds him',
      async (text) => {
        expect(await search(text)).toEqual(['deux']);
      },
    );
  });

  test.each([
    ['100%', ['mariam']],
    ['%', ['mariam']],
    ['w_b', ['mariam']],
    ['\\', []],
    ["' OR 1=1--", []],
    ['guest:', []],
  ])('takes %o as it is written', async (text, found) => {
    expect(await search(text)).toEqual(found);
  });
});
