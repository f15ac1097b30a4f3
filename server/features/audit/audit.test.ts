import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLimits } from '#server/process/limits.ts';
import { otherThan, signUpBody, startSignUp, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildCaller, buildTicket, buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

interface Entry {
  id: number;
  actor_id: number | null;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  status: number;
  code: string | null;
  count: number;
  ip: string;
}

async function lastId(): Promise<number> {
  const { rows } = await api.pool.query('select coalesce(max(id), 0)::int as id from audit_log');
  return rows[0].id;
}

/** What a call adds to the log; it is there when the answer is. */
async function recordsOf(call: () => Promise<unknown>, length = 1): Promise<Entry[]> {
  const before = await lastId();
  await call();
  const { rows } = await api.pool.query('select * from audit_log where id > $1 order by id', [before]);
  expect(rows).toHaveLength(length);
  return rows as Entry[];
}

const signIn = (phoneOrEmail: string, password = knownPassword, client = api.client()) =>
  client.post('/api/auth/signin', { phoneOrEmail, password });

describe('every write of an administrator is recorded, with who, what, on what and how it ended', () => {
  test('on a user, without the password', async () => {
    const { client, user: admin } = await buildAdmin(api);
    const { id } = await buildUser(api.db);
    const records = await recordsOf(async () => {
      await client.patch(`/api/admin/users/${id}/reset-password`, { password: 'tres-secret' });
    });
    expect(records).toMatchObject([
      {
        actor_id: admin.id,
        action: 'PATCH /api/admin/users/:id/reset-password',
        target: String(id),
        status: 200,
        details: {},
        ip: '127.0.0.1',
      },
    ]);
    for (const [verb, status] of [
      ['deactivate', 200],
      ['activate', 200],
    ] as const)
      expect(await recordsOf(() => client.patch(`/api/admin/users/${id}/${verb}`))).toMatchObject([
        { actor_id: admin.id, action: `PATCH /api/admin/users/:id/${verb}`, target: String(id), status },
      ]);
    expect(await recordsOf(() => client.delete(`/api/admin/users/${id}`))).toMatchObject([
      { actor_id: admin.id, action: 'DELETE /api/admin/users/:id', target: String(id), status: 200 },
    ]);
    expect(await recordsOf(() => client.delete(`/api/admin/users/${id}`))).toMatchObject([{ status: 404 }]);
  });

  test("on a ticket and a payment type, which have no or other paths than an administrator's", async () => {
    const { client, user: admin } = await buildAdmin(api);
    const { id } = await buildTicket(api.db, (await buildUser(api.db)).id);
    const rejection = { status: 'rejected', reason: 'Numéro faux' };
    expect(await recordsOf(() => client.patch(`/api/tickets/${id}/status`, rejection))).toMatchObject([
      { actor_id: admin.id, action: 'PATCH /api/tickets/:id/status', target: String(id), details: rejection },
    ]);
    expect(await recordsOf(() => client.post('/api/admin/payment-types', { name: 'Moov Money' }))).toMatchObject([
      { actor_id: admin.id, action: 'POST /api/admin/payment-types', status: 201, details: { name: 'Moov Money' } },
    ]);
  });

  test('and one that is refused is recorded as such, also for a reason of half a character', async () => {
    const { client, user: admin } = await buildAdmin(api);
    const { id } = await buildTicket(api.db, (await buildUser(api.db)).id);
    const decide = (reason: string) => client.patch(`/api/tickets/${id}/status`, { status: 'rejected', reason });
    const refused = { actor_id: admin.id, target: String(id), status: 400, code: 'INVALID' };
    for (const half of ['\ud83d', 'Illisible \udc4d', '\ud83d\ud83d'])
      expect(await recordsOf(async () => expect((await decide(half)).status).toBe(400))).toMatchObject([
        { ...refused, details: { status: 'rejected', reason: half.toWellFormed() } },
      ]);
    expect(await recordsOf(async () => expect((await decide('a\0b')).status).toBe(400))).toMatchObject([
      { ...refused, details: { reason: 'a\ufffdb' } },
    ]);
    const long = await recordsOf(() => decide('👍'.repeat(400)));
    expect(long).toMatchObject([{ ...refused, details: { reason: '👍'.repeat(auditLimits.fieldCharacters) } }]);
    expect(await recordsOf(() => client.patch('/api/tickets/2147483647/status', { status: 'approved' }))).toMatchObject(
      [{ ...refused, target: '2147483647', status: 404, code: 'TICKET_NOT_FOUND' }],
    );
  });

  test('and a list that one reads is not', async () => {
    const { client } = await buildAdmin(api);
    const records = await recordsOf(async () => {
      await client.get('/api/admin/users');
      await client.get('/api/payment-types');
      await client.post('/api/auth/signout');
    });
    expect(records).toMatchObject([{ action: 'POST /api/auth/signout' }]);
  });
});

test('what a call added stands in the log, as it is answered next, whoever made it', async () => {
  const { client: reader } = await buildAdmin(api);
  const cookies = Object.fromEntries(reader.cookies);
  // By the process's own knowledge, without the help that the tests' client has.
  const newest = async () => {
    const { payload } = await request(api.app, { url: '/api/admin/audit?limit=1', cookies });
    return JSON.parse(payload)[0]?.id as number;
  };
  const post = (path: string, payload: object) =>
    request(api.app, { method: 'POST', url: `/api/auth/${path}`, payload });
  for (const password of [knownPassword, 'wrong one']) {
    const { phone } = await buildUser(api.db);
    await api.app.changeFeed.catchUp();
    const before = await newest();
    await post('signin', { phoneOrEmail: phone, password });
    expect(await newest()).toBeGreaterThan(before);
  }
});

describe('every way in is recorded', () => {
  test('a sign-in, with who came in', async () => {
    const { phone, id } = await buildUser(api.db);
    expect(await recordsOf(() => signIn(phone))).toMatchObject([
      { actor_id: id, action: 'POST /api/auth/signin', status: 200, ip: '127.0.0.1' },
    ]);
  });

  test('a sign-in of a guest, as the person they became', async () => {
    const { phone, id } = await buildUser(api.db);
    const client = api.client();
    await client.post('/api/auth/guest');
    expect(await recordsOf(() => signIn(phone, knownPassword, client))).toMatchObject([{ actor_id: id, status: 200 }]);
  });

  test('a verification, with who came in', async () => {
    const phone = nextPhone();
    const { client, code } = await startSignUp(api, phone);
    const records = await recordsOf(() => client.post('/api/auth/verify-otp', { phone, code }));
    const { rows } = await api.pool.query('select id from users where phone = $1', [phone]);
    expect(records).toMatchObject([{ action: 'POST /api/auth/verify-otp', status: 200, actor_id: rows[0].id }]);
  });

  test('a failed one, with its status', async () => {
    const { phone } = await buildUser(api.db);
    const unverified = await buildUser(api.db, { isVerified: false });
    expect(await recordsOf(() => signIn(phone, 'pas-le-bon'))).toMatchObject([{ status: 401, actor_id: null }]);
    expect(await recordsOf(() => signIn(unverified.phone))).toMatchObject([{ status: 403 }]);
    const { client, code } = await startSignUp(api, nextPhone());
    const wrong = { phone: nextPhone(), code: otherThan(code) };
    expect(await recordsOf(() => client.post('/api/auth/verify-otp', wrong))).toMatchObject([{ status: 400 }]);
  });

  test('a reset, from its code to its password', async () => {
    const { phone } = await buildUser(api.db);
    const records = await recordsOf(async () => {
      const { client, token } = await takeResetToken(api, phone);
      await client.post('/api/auth/reset-password', { newPassword: 'nouveau-1', confirmPassword: 'nouveau-1', token });
    }, 2);
    expect(records.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'POST /api/auth/verify-reset-otp 200',
      'POST /api/auth/reset-password 200',
    ]);
  });

  test('and a sign-out, with who left', async () => {
    const { client, user } = await buildCaller(api);
    expect(await recordsOf(() => client.post('/api/auth/signout'))).toMatchObject([
      { actor_id: user.id, action: 'POST /api/auth/signout', status: 200 },
    ]);
  });
});

describe('what an administrator reads of one person is recorded', () => {
  test.each(['tickets', 'notifications'])(
    'their %s, once in a period, and how often it was read after that',
    async (list) => {
      const { client, user: admin } = await buildAdmin(api);
      const { client: other } = await buildAdmin(api);
      const { id } = await buildUser(api.db);
      const read = (page = '') => client.get(`/api/${list}/user/${id}${page}`);
      expect(await recordsOf(() => read())).toMatchObject([
        { actor_id: admin.id, action: `GET /api/${list}/user/:userId`, target: String(id), details: {}, status: 200 },
      ]);
      await recordsOf(() => read(), 0);
      await recordsOf(() => read('?limit=5'), 0);
      await recordsOf(() => other.get(`/api/${list}/user/${id}`), 1);
    },
  );

  test("and what is one's own is not, nor a number of what is unread", async () => {
    const { client, user } = await buildCaller(api);
    const { client: admin, user: self } = await buildAdmin(api);
    await recordsOf(async () => {
      for (const list of ['tickets', 'notifications']) {
        expect((await client.get(`/api/${list}/user/${user.id}`)).status).toBe(200);
        expect((await admin.get(`/api/${list}/user/${self.id}`)).status).toBe(200);
      }
      expect((await admin.get(`/api/notifications/user/${user.id}/unread-count`)).status).toBe(200);
    }, 0);
  });
});

describe('every refusal for lack of rights is recorded', () => {
  test("of a user at an administrator's door, also where they only read", async () => {
    const { client, user } = await buildCaller(api);
    expect(await recordsOf(() => client.get('/api/admin/users'))).toMatchObject([
      { actor_id: user.id, action: 'GET /api/admin/users', status: 403 },
    ]);
    expect(await recordsOf(() => client.delete('/api/admin/users/7'))).toMatchObject([
      { actor_id: user.id, action: 'DELETE /api/admin/users/:id', target: '7', status: 403 },
    ]);
  });

  test("of a user at somebody else's tickets", async () => {
    const { client, user } = await buildCaller(api);
    const other = await buildUser(api.db);
    expect(await recordsOf(() => client.get(`/api/tickets/user/${other.id}`))).toMatchObject([
      { actor_id: user.id, target: String(other.id), status: 403 },
    ]);
  });

  test('of another site', async () => {
    const { client, user } = await buildAdmin(api);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const records = await recordsOf(() => client.post('/api/admin/payment-types', { name: 'Pirate' }, headers));
    expect(records).toMatchObject([{ actor_id: user.id, action: 'POST /api/admin/payment-types', status: 403 }]);
  });
});

test('no password, code, token, cookie or number is in the log', async () => {
  const phone = nextPhone();
  const client = api.client();
  await client.post('/api/auth/signup', signUpBody(phone, { password: 'mot-secret', confirmPassword: 'mot-secret' }));
  const code = await api.readCode(phone);
  const secrets: string[] = ['mot-secret', 'argon2', phone, phone.slice(4)];
  await recordsOf(async () => {
    await client.post('/api/auth/verify-otp', { phone, code });
    secrets.push(client.cookies.get('guichet_session') ?? 'no session');
    await signIn(phone, 'mot-secret');
    await signIn(phone, 'mot-secret-faux');
    const { token } = await takeResetToken(api, phone);
    secrets.push(token);
    await client.post('/api/auth/reset-password', { newPassword: 'x', confirmPassword: 'mot-secret', token });
  }, 5);
  const { rows } = await api.pool.query('select row_to_json(audit_log)::text as line from audit_log');
  const lines = rows.map((row: { line: string }) => row.line).join('\n');
  for (const secret of secrets) expect(lines).not.toContain(secret);
  const { rows: details } = await api.pool.query('select 1 from audit_log where details::text like $1', [`%${code}%`]);
  expect(details).toEqual([]);
});

test('nobody fills the log with a body of their own making', async () => {
  const stuffed = { name: Array.from({ length: 10_000 }, () => 'remplissage'), title: { x: 'y'.repeat(50_000) } };
  const [record] = await recordsOf(() => api.client().post('/api/auth/signin', stuffed));
  expect(record).toMatchObject({ action: 'POST /api/auth/signin', status: 400 });
  expect(JSON.stringify(record?.details).length).toBeLessThan(2_000);
});

describe('the log only grows', () => {
  test.each([
    ['update', 'update audit_log set status = 200'],
    ['update of no row', 'update audit_log set status = 200 where false'],
    ['delete', 'delete from audit_log'],
    ['truncate', 'truncate audit_log'],
  ])('%s is refused by the database', async (_, query) => {
    const { client } = await buildCaller(api);
    await recordsOf(() => client.post('/api/auth/signout'));
    const count = async () => (await api.pool.query('select count(*)::int as n from audit_log')).rows[0].n;
    const before = await count();
    await expect(api.pool.query(query)).rejects.toThrow('audit_log is append-only');
    expect(await count()).toBe(before);
  });

  test('but for what is older than an operator keeps, which is said in the log', async () => {
    const { client, user } = await buildCaller(api);
    await recordsOf(() => client.post('/api/auth/signout'));
    const insert = `insert into audit_log (action, status, ip, created_at)
      select 'old', 200, 'x', now() - make_interval(days => n) from generate_series(1, 50) n`;
    await api.pool.query(insert);
    const connection = await api.pool.connect();
    try {
      await connection.query('begin');
      const trimmed = await connection.query("select trim_audit_log(now() - interval '30 days') as gone");
      expect(trimmed.rows).toEqual([{ gone: 21 }]);
      await connection.query('savepoint trimmed');
      for (const query of ['delete from audit_log', 'truncate audit_log', "update audit_log set ip = ''"]) {
        await expect(connection.query(query)).rejects.toThrow('audit_log is append-only');
        await connection.query('rollback to trimmed');
      }
      await connection.query('commit');
      await expect(connection.query('delete from audit_log')).rejects.toThrow('audit_log is append-only');
    } finally {
      connection.release();
    }
    const { rows: left } = await api.pool.query("select count(*)::int as n from audit_log where action = 'old'");
    expect(left).toEqual([{ n: 29 }]);
    const { rows: own } = await api.pool.query('select action from audit_log where actor_id = $1', [user.id]);
    expect(own).toEqual([{ action: 'POST /api/auth/signout' }]);
    const { rows: said } = await api.pool.query("select * from audit_log where action = 'trim_audit_log'");
    expect(said).toMatchObject([{ actor_id: null, details: { rows: 21, before: expect.any(String) }, status: 200 }]);
  });

  test('and outlives the people in it', async () => {
    const { client, user } = await buildCaller(api);
    await recordsOf(() => client.get('/api/admin/users'));
    const { client: admin } = await buildAdmin(api);
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    const { rows } = await api.pool.query('select action from audit_log where actor_id = $1', [user.id]);
    expect(rows).toEqual([{ action: 'GET /api/admin/users' }]);
  });
});
