import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maskPhone } from '#contract/phone.ts';
import { auditLimits } from '#server/process/limits.ts';
import { buildCaller, buildUser, knownPassword } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { countRepeats } from './entry.ts';
import type { AuditEntry } from './store.ts';

const call: AuditEntry = {
  actorId: null,
  action: 'POST /api/auth/signin',
  target: null,
  details: {},
  status: 401,
  code: 'CREDENTIALS',
  ip: '192.0.2.1',
};

function countInMemory() {
  const rows: AuditEntry[] = [];
  const repeats = countRepeats(async (entry) => void rows.push(entry));
  return { rows, repeats };
}

describe('of equal calls', () => {
  test('the first is listed and the others are counted at the end of the period', async () => {
    const { rows, repeats } = countInMemory();
    for (let count = 0; count < 1_000; count += 1) await repeats.record(call);
    await repeats.record({ ...call, ip: '192.0.2.2' });
    expect(rows).toEqual([call, { ...call, ip: '192.0.2.2' }]);
    await repeats.flush();
    expect(rows.slice(2)).toEqual([{ ...call, count: 999 }]);
    await repeats.flush();
    expect(rows).toHaveLength(3);
    await repeats.record(call);
    expect(rows.slice(3)).toEqual([call]);
  });

  test.each<[string, Partial<AuditEntry>]>([
    ['actor', { actorId: 7 }],
    ['action', { action: 'POST /api/auth/verify-otp' }],
    ['target', { target: '7' }],
    ['number', { details: { number: '+226 XX XX XX 34' } }],
    ['status', { status: 400 }],
    ['code', { code: 'INVALID' }],
    ['address', { ip: '192.0.2.9' }],
  ])('one of another %s is none', async (_, other) => {
    const { rows, repeats } = countInMemory();
    await repeats.record(call);
    await repeats.record({ ...call, ...other });
    expect(rows).toHaveLength(2);
  });

  test('beyond so many different ones addresses and numbers are told apart no longer', async () => {
    const { rows, repeats } = countInMemory();
    const most = auditLimits.listedPerPeriod;
    const from = (n: number) => ({ ...call, ip: `2001:db8::${n}`, target: String(n), details: { number: `${n}` } });
    for (let n = 0; n < 10 * most; n += 1) await repeats.record(from(n));
    expect(rows).toHaveLength(most + 1);
    expect(rows.at(-1)).toEqual({ ...call, ip: '*' });
    // What was listed before goes on being counted by itself.
    await repeats.record(from(0));
    await repeats.flush();
    expect(rows.slice(most + 1)).toEqual([
      { ...from(0), count: 1 },
      { ...call, ip: '*', count: 9 * most - 1 },
    ]);
  });
});

describe('what strangers do', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi();
  });
  afterEach(() => api.close());

  const readLog = async () => (await api.pool.query('select * from audit_log order by id')).rows;
  const signIn = (body: object) => api.client().post('/api/auth/signin', body);

  test('again and again stands in two rows: the first at once, and how often it came when the server stops', async () => {
    const { phone } = await buildUser(api.db);
    for (let count = 0; count < 5; count += 1)
      expect((await signIn({ phoneOrEmail: phone, password: 'faux-mot' })).status).toBe(401);
    const first = { action: 'POST /api/auth/signin', status: 401, code: 'CREDENTIALS', ip: '127.0.0.1', count: 1 };
    expect(await readLog()).toMatchObject([first]);
    await api.app.close();
    expect(await readLog()).toMatchObject([first, { ...first, count: 4 }]);
  });

  test('is recorded with their number masked', async () => {
    const { phone } = await buildUser(api.db);
    const written = phone.slice(4).replace(/(..)(?=.)/g, '$1 ');
    await signIn({ phoneOrEmail: written, password: knownPassword });
    const rows = await readLog();
    expect(rows).toMatchObject([{ status: 200, details: { number: maskPhone(phone) } }]);
    expect(JSON.stringify(rows)).not.toContain(phone.slice(4));
  });

  test('leaves nothing in the log as they sent it', async () => {
    const marker = 'MARQUE';
    const bodies: object[] = [
      { phoneOrEmail: '\ud83d', password: '\udc4d' },
      { phoneOrEmail: `${marker}\ud83d`, password: 'p' },
      { phoneOrEmail: marker.repeat(3_000), password: 'p' },
      { phoneOrEmail: `${marker}@example.bf`, password: 'motdepasse' },
      { phoneOrEmail: [marker], password: 7 },
      { phoneOrEmail: '+33612345678', password: 'motdepasse' },
      { phoneOrEmail: '70999999', password: marker, [marker]: { [marker]: marker } },
    ];
    for (const body of bodies) expect([400, 401]).toContain((await signIn(body)).status);
    await api.client().post('/api/auth/reset-password', {
      token: marker,
      newPassword: `${marker}1`,
      confirmPassword: `${marker}1`,
    });
    const rows = await readLog();
    expect(rows.length).toBeGreaterThan(2);
    for (const { details } of rows) expect([{}, { number: maskPhone('+22670999999') }]).toContainEqual(details);
    expect(JSON.stringify(rows)).not.toMatch(/MARQUE|336123|709999|ud83d|udc4d|�/i);
  });

  test('is recorded without the parameters of a path that are no ids', async () => {
    const phone = `guest:${randomUUID()}`;
    const { client } = await buildCaller(api, { phone, isGuest: true, isVerified: false, password: null });
    const parameters = ['abc', '%F0%9F%98%80', "1'--", '-1', '1e9', '%00', '12345678901', 'x'.repeat(90)];
    for (const parameter of parameters)
      expect((await client.patch(`/api/admin/users/${parameter}/deactivate`)).status).toBe(403);
    await client.patch('/api/admin/users/42/deactivate');
    const rows = await readLog();
    expect(rows.map(({ target }) => target)).toEqual([null, '42']);
  });
});
