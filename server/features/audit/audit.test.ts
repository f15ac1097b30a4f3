import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { otherThan, signUpBody, startSignUp, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildCaller, buildTicket, buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

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
  ip: string;
}

async function lastId(): Promise<number> {
  const { rows } = await api.pool.query('select coalesce(max(id), 0)::int as id from audit_log');
  return rows[0].id;
}

/** What a call adds to the log; it is written after the answer. */
async function recordsOf(call: () => Promise<unknown>, length = 1): Promise<Entry[]> {
  const before = await lastId();
  await call();
  return vi.waitFor(
    async () => {
      const { rows } = await api.pool.query('select * from audit_log where id > $1 order by id', [before]);
      expect(rows.length).toBeGreaterThanOrEqual(length);
      expect(rows).toHaveLength(length);
      return rows as Entry[];
    },
    { timeout: 5_000, interval: 10 },
  );
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

  test('on a ticket and a payment type, which have no or other paths than an administrator’s', async () => {
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

describe('every refusal for lack of rights is recorded', () => {
  test('of a user at an administrator’s door, also where they only read', async () => {
    const { client, user } = await buildCaller(api);
    expect(await recordsOf(() => client.get('/api/admin/users'))).toMatchObject([
      { actor_id: user.id, action: 'GET /api/admin/users', status: 403 },
    ]);
    expect(await recordsOf(() => client.delete('/api/admin/users/7'))).toMatchObject([
      { actor_id: user.id, action: 'DELETE /api/admin/users/:id', target: '7', status: 403 },
    ]);
  });

  test('of a user at somebody else’s tickets', async () => {
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

  test('and outlives the people in it', async () => {
    const { client, user } = await buildCaller(api);
    await recordsOf(() => client.get('/api/admin/users'));
    const { client: admin } = await buildAdmin(api);
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    const { rows } = await api.pool.query('select action from audit_log where actor_id = $1', [user.id]);
    expect(rows).toEqual([{ action: 'GET /api/admin/users' }]);
  });
});
