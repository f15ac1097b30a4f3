import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countedUpTo } from '#contract/shapes.ts';
import { buildAdmin, buildCaller, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
const ids: Record<string, number> = {};

beforeAll(async () => {
  api = await startTestApi();
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
  const caller = await buildAdmin(api);
  await api.pool.query("update users set last_name = 'Diallo' where id = $1", [caller.user.id]);
  ids.admin = caller.user.id;
  admin = caller.client;
});
afterAll(() => api.close());

const names = (rows: { id: number }[]) => rows.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
const search = async (text: string) =>
  names((await admin.get(`/api/admin/users?search=${encodeURIComponent(text)}`)).body);

test('the list has everybody, newest first, with how many there are', async () => {
  const answer = await admin.get('/api/admin/users');
  expect(answer.status).toBe(200);
  expect(names(answer.body)).toEqual(['admin', 'guest', 'closed', 'mariam', 'issa', 'awa']);
  expect(answer.headers['x-total-count']).toBe('6');
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('a person is shown by exactly the fields of the contract, a guest without a number', async () => {
  const { body } = await admin.get('/api/admin/users');
  const fields = ['id', 'firstName', 'lastName', 'phone', 'email', 'isGuest', 'isVerified', 'isAdmin', 'countryCode'];
  for (const each of body) expect(Object.keys(each).sort()).toEqual([...fields, 'createdAt', 'updatedAt'].sort());
  expect(body[1]).toMatchObject({ firstName: 'Invité', phone: '', isGuest: true });
  expect(body[5]).toMatchObject({ phone: '+22670111111', email: 'awa70@example.bf', isVerified: true });
  expect(new Date(body[5].createdAt).toISOString()).toBe(body[5].createdAt);
  expect(JSON.stringify(body)).not.toMatch(/argon2|guest:|password/);
});

test('a page and how many there are in all are of one moment, while people come and go', async () => {
  let isRead = false;
  const comeAndGo = async () => {
    while (!isRead) {
      const { id } = await buildUser(api.db, { email: 'passant@example.bf' });
      await api.pool.query('delete from users where id = $1', [id]);
    }
  };
  const read = async () => {
    for (let turn = 0; turn < 30; turn += 1)
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

test('pages by limit and by the id of the last row seen', async () => {
  const first = await admin.get('/api/admin/users?limit=2');
  expect(names(first.body)).toEqual(['admin', 'guest']);
  expect(first.headers['x-total-count']).toBe('6');
  const second = await admin.get(`/api/admin/users?limit=2&before=${first.body[1].id}`);
  expect(names(second.body)).toEqual(['closed', 'mariam']);
  expect(second.headers['x-total-count']).toBe('6');
  expect((await admin.get(`/api/admin/users?before=${ids.awa}`)).body).toEqual([]);
});

describe('search', () => {
  test.each([
    ['awa', ['awa']],
    ['AWA', ['awa']],
    ['  Traoré ', ['issa']],
    ['TRAORÉ', ['issa']],
    ['ouédraogo', ['awa']],
    ['issa traoré', ['issa']],
    ['Traoré Issa', ['issa']],
    ['mariam.sow@example.SN', ['mariam']],
    ['example', ['mariam', 'awa']],
    ['70111111', ['awa']],
    ['70 11 11 11', ['awa']],
    ['+226 70 11', ['awa']],
    ['+226', ['admin', 'closed', 'awa']],
    ['invité', ['guest']],
    ['INVITE', ['guest']],
    ['traore', ['issa']],
    ['Ouedraogo', ['awa']],
    ['70-11.11(11)', ['awa']],
    ['+22670111111', ['awa']],
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
      '0022670112233',
      '70/11/22/33',
      'tel:+226-70-11-22-33',
      '７０１１２２３３',
      '\u202a+226 70 11 22 33\u202c',
      '70−11−22−33',
      '7\ufe0d0112233',
      '226 70112233',
      '00226 70.11.22',
      "N'Guessan",
      'NʼGuessan',
      'n`guessan',
      'N´GUESSAN',
      'N′Guessan',
      'n‘guessan koffi',
      'KOFFI  N’Guessan',
      'marie-claire',
      'Marie–Claire',
      'Marie‑Claire koffi',
      'claire\u00a0marie',
      'Koffi\u200b',
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

    test.each(['awa koffi', 'N Guessanne', '70/11/22/34', 'tel:', '00226 70112234', '70112233 traoré'])(
      '%j finds nobody',
      async (text) => {
        expect(await search(text)).toEqual([]);
      },
    );

    test('what is invisible finds everybody, as nothing does', async () => {
      expect(await search('\u200b\u00a0')).toHaveLength(8);
    });
  });

  test('for an e-mail address with digits finds its person only', async () => {
    expect(await search('awa70@example.bf')).toEqual(['awa']);
    expect(await search('issa22@example.ml')).toEqual([]);
  });

  test.each([
    ['100%', ['mariam']],
    ['%', ['mariam']],
    ['_', ['mariam']],
    ['w_b', ['mariam']],
    ['\\', []],
    ["' OR 1=1--", []],
    ['guest:', []],
    ['🙂', []],
  ])('takes %o as it is written', async (text, found) => {
    expect(await search(text)).toEqual(found);
  });

  test('is counted in X-Total-Count, with or without a page', async () => {
    const answer = await admin.get('/api/admin/users?search=example&limit=1');
    expect(names(answer.body)).toEqual(['mariam']);
    expect(answer.headers['x-total-count']).toBe('2');
    const next = await admin.get(`/api/admin/users?search=example&limit=1&before=${answer.body[0].id}`);
    expect(names(next.body)).toEqual(['awa']);
    expect(next.headers['x-total-count']).toBe('2');
  });

  test('follows a name that changes', async () => {
    await api.pool.query("update users set last_name = 'Côulibaly' where id = $1", [ids.issa]);
    expect(await search('issa coulibaly')).toEqual(['issa']);
    expect(await search('traoré')).toEqual([]);
    await api.pool.query("update users set last_name = 'Traoré' where id = $1", [ids.issa]);
  });

  test('that finds more than is counted says so', async () => {
    await api.pool.query(
      `insert into users (first_name, last_name, phone, password)
       select 'Foule', 'Nombreuse', '+221' || 700000000 + n, '-' from generate_series(1, $1::int) n`,
      [countedUpTo],
    );
    const exact = await admin.get('/api/admin/users?search=foule&limit=1');
    expect(exact.headers['x-total-count']).toBe(String(countedUpTo));
    expect(exact.headers['x-total-count-capped']).toBeUndefined();
    await api.pool.query(
      "insert into users (first_name, last_name, phone, password) values ('La', 'foule', '+221700000000', '-')",
    );
    const capped = await admin.get('/api/admin/users?search=foule&limit=1');
    expect(capped.headers['x-total-count']).toBe(String(countedUpTo));
    expect(capped.headers['x-total-count-capped']).toBe('true');
    const everybody = await admin.get('/api/admin/users?limit=1');
    expect(everybody.headers['x-total-count']).toBe(String(countedUpTo + 7));
    expect(everybody.headers['x-total-count-capped']).toBeUndefined();
    await api.pool.query("delete from users where phone like '+2217000%' or last_name = 'Nombreuse'");
    expect((await admin.get('/api/admin/users?limit=1')).headers['x-total-count']).toBe('6');
  });

  test('that is blank finds everybody', async () => {
    expect(await search('   ')).toHaveLength(6);
  });
});

test.each([
  'limit=0',
  'limit=-1',
  'limit=1001',
  'limit=abc',
  'limit=1.5',
  'before=abc',
  'before=0',
  'before=2147483648',
  'search=a%00b',
  `search=${'x'.repeat(101)}`,
])('%s is a mistake of the caller', async (query) => {
  expect(await admin.get(`/api/admin/users?${query}`)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
});

test('the list is for administrators', async () => {
  expect(await api.client().get('/api/admin/users')).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
  const { client, user } = await buildCaller(api);
  expect(await client.get('/api/admin/users')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  const guest = api.client();
  const entered = await guest.post('/api/auth/guest');
  expect(await guest.get('/api/admin/users')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  await api.pool.query('delete from users where id = any($1)', [[user.id, entered.body.user.id]]);
});
