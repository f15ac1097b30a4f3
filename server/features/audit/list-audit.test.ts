import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#contract/audit.ts';
import { countedUpTo } from '#contract/shapes.ts';
import { auditLimits } from '#server/process/limits.ts';
import { buildAdmin, buildCaller, buildPaymentType, buildUser, knownPassword } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: { id: number; client: TestClient };
/** An administrator who did things and is a user now. */
let former: number;
/** A user who was refused. */
let user: number;
/** The time in which all of it was done, for a query: other tests do more. */
let then: string;

beforeAll(async () => {
  api = await startTestApi();
  const from = await readTime();
  const caller = await buildAdmin(api);
  admin = { id: caller.user.id, client: caller.client };
  const other = await buildAdmin(api);
  former = other.user.id;
  await other.client.delete(`/api/admin/payment-types/${(await buildPaymentType(api.db)).id}`);
  await api.pool.query("update users set is_admin = false, last_name = 'Barro' where id = $1", [former]);
  const person = await buildCaller(api);
  user = person.user.id;
  await person.client.get('/api/admin/users');
  await person.client.delete('/api/admin/users/42');
  await api.client().post('/api/auth/signin', { phoneOrEmail: person.user.phone, password: 'faux-mot' });
  await api.client().post('/api/auth/signin', { phoneOrEmail: person.user.phone, password: knownPassword });
  await admin.client.put('/api/admin/reject-reasons', { reasons: ['Illisible.'] });
  await admin.client.patch('/api/admin/users/2147483647/deactivate');
  then = `from=${from}&to=${await readTime()}`;
});
afterAll(() => api.close());

/** The database's, rounded up to a millisecond. */
const readTime = async () => {
  const { rows } = await api.pool.query(
    "select date_trunc('milliseconds', now() + interval '1 ms') as at, pg_sleep(0.001)",
  );
  return (rows[0].at as Date).toISOString();
};
const list = async (query = '') =>
  (await admin.client.get(`/api/admin/audit${query && `?${query}`}`)).body as AuditEntry[];
const actions = async (query = '') => (await list(query)).map(({ action, status }) => `${action} ${status}`);

const byFormer = 'DELETE /api/admin/payment-types/:id 200';
const byUser = ['POST /api/auth/signin 200', 'DELETE /api/admin/users/:id 403', 'GET /api/admin/users 403'];
const byStranger = 'POST /api/auth/signin 401';
const byAdmin = ['PATCH /api/admin/users/:id/deactivate 404', 'PUT /api/admin/reject-reasons 200'];
const everything = [...byAdmin, byUser[0], byStranger, ...byUser.slice(1), byFormer];

test('the log is there from the newest on, with who did what to what, in French', async () => {
  const entries = await list(then);
  expect(entries.map(({ action, status }) => `${action} ${status}`)).toEqual(everything);
  expect(entries.map(({ title }) => title)).toEqual([
    'Utilisateur désactivé',
    'Motifs de rejet modifiés',
    'Connexion',
    'Connexion',
    'Utilisateur supprimé',
    'Accès refusé',
    'Type de paiement supprimé',
  ]);
  const common = { ip: '127.0.0.1', count: 1, createdAt: expect.stringMatching(/^2\d{3}-.*Z$/) };
  expect(entries[1]).toEqual({
    ...common,
    id: expect.any(Number),
    actor: { id: admin.id, name: 'Fatou Ouédraogo' },
    title: 'Motifs de rejet modifiés',
    action: 'PUT /api/admin/reject-reasons',
    target: null,
    details: { before: { count: 3 }, count: 1 },
    status: 200,
    code: null,
  });
  expect(entries[3]).toMatchObject({ ...common, actor: null, status: 401, code: 'CREDENTIALS' });
  expect(entries[4]).toMatchObject({ actor: { id: user }, target: '42', status: 403, code: 'FORBIDDEN', details: {} });
  expect(entries[6]).toMatchObject({ actor: { id: former, name: 'Fatou Barro' } });
});

describe('it is filtered', () => {
  test.each<[string, () => string, string[]]>([
    ['by person', () => `actorId=${user}`, byUser],
    ['by a person who is not there', () => 'actorId=2147483647', []],
    ['by who is an administrator now', () => 'actors=administrators', byAdmin],
    ['by who is none', () => 'actors=others', [byUser[0] ?? '', byStranger, ...byUser.slice(1), byFormer]],
    ['by success', () => 'outcome=done', [byAdmin[1] ?? '', byUser[0] ?? '', byFormer]],
    ['by refusal', () => 'outcome=refused', [byAdmin[0] ?? '', byStranger, ...byUser.slice(1)]],
    ['by all of it', () => `actors=others&outcome=refused&actorId=${user}`, byUser.slice(1)],
  ])('%s', async (_, query, expected) => {
    expect(await actions(`${then}&${query()}`)).toEqual(expected);
    const { headers } = await admin.client.get(`/api/admin/audit?limit=1&${then}&${query()}`);
    expect(headers['x-total-count']).toBe(String(expected.length));
  });

  test('by time, both ends included', async () => {
    const entries = await list(then);
    const [newest, oldest] = [entries[2], entries[4]];
    // The answer has milliseconds, the log microseconds.
    const to = new Date(Date.parse(newest?.createdAt ?? '') + 1).toISOString();
    const from = encodeURIComponent(oldest?.createdAt.replace('Z', '+00:00') ?? '');
    expect(await actions(`from=${from}&to=${to}`)).toEqual(everything.slice(2, 5));
    expect(await actions('to=2020-01-01T00:00:00Z')).toEqual([]);

    const { id } = await buildUser(api.db);
    const at = '2026-01-02T03:04:05.678Z';
    const insert = 'insert into audit_log (actor_id, action, status, ip, created_at) values ($1, $2, 200, $3, $4)';
    await api.pool.query(insert, [id, 'exactly then', 'x', at]);
    for (const instants of [`from=${at}&to=${at}`, `from=${at}`, `to=${at}`])
      expect(await actions(`actorId=${id}&${instants}`)).toEqual(['exactly then 200']);
    for (const instants of ['to=2026-01-02T03:04:05.677Z', 'from=2026-01-02T03:04:05.679Z'])
      expect(await actions(`actorId=${id}&${instants}`)).toEqual([]);
  });

  test.each([
    'actors=personne',
    'outcome=ok',
    'actorId=abc',
    'from=hier',
    'to=2026-13-01T00:00:00Z',
    'from=2024-01-01T00:00:00-23:59',
    'limit=1001',
  ])('%s is a mistake of the caller', async (query) => {
    expect(await admin.client.get(`/api/admin/audit?${query}`)).toMatchObject({ status: 400 });
  });
});

test('it is read page by page', async () => {
  const first = await list(`${then}&limit=3`);
  const second = await list(`${then}&limit=3&before=${first.at(-1)?.id}`);
  const third = await list(`${then}&limit=3&before=${second.at(-1)?.id}`);
  expect([...first, ...second, ...third]).toEqual(await list(then));
  expect(await list(`${then}&before=${third.at(-1)?.id}`)).toEqual([]);
  expect(await list('before=2147483647')).toEqual([]);
});

test('somebody who was deleted has no name any more', async () => {
  const { client, user: gone } = await buildCaller(api);
  await client.get('/api/admin/services');
  await admin.client.delete(`/api/admin/users/${gone.id}`);
  expect(await list(`actorId=${gone.id}`)).toMatchObject([{ actor: { id: gone.id, name: '' } }]);
});

test('what is older than a call of this version, or no call, has a title too', async () => {
  await api.pool.query("select trim_audit_log('2020-01-01')");
  await api.pool.query("insert into audit_log (action, status, ip) values ('POST /api/gone', 200, 'x')");
  expect((await list('limit=2')).map(({ title, actor }) => ({ title, actor }))).toEqual([
    { title: 'Ancienne action', actor: null },
    { title: 'Journal abrégé', actor: null },
  ]);
});

describe('its file', () => {
  const header = 'date;acteur;action;cible;résultat;code;nombre;adresse;détails';
  const exported = async (query = '') => {
    const answer = await admin.client.get(`/api/admin/audit-export${query && `?${query}`}`);
    expect(answer.status).toBe(200);
    return answer;
  };

  test('is a CSV file for a spreadsheet in French, and is recorded itself', async () => {
    const { headers, raw } = await exported(`actorId=${admin.id}&outcome=done`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="journal_\d{4}-\d\d-\d\d\.csv"$/);
    expect(raw.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const [first, ...lines] = raw.toString('utf8').slice(1).split('\r\n');
    expect(first).toBe(header);
    expect(lines.at(-1)).toBe('');
    expect(lines[0]).toMatch(
      /^2\d{3}-[\dT:.-]+Z;Fatou Ouédraogo;Journal exporté \(GET \/api\/admin\/audit-export\);;Fait;;1;127\.0\.0\.1;\{\}$/,
    );
    expect(lines.at(-2)).toContain('"{""count"":1,""before"":{""count"":3}}"');
    expect(await list(`actorId=${admin.id}&limit=1`)).toMatchObject([
      { title: 'Journal exporté', action: 'GET /api/admin/audit-export', status: 200 },
    ]);
  });

  test('has refusals with their code, and strangers without a name', async () => {
    const text = (await exported('outcome=refused&actors=others')).raw.toString('utf8');
    expect(text).toMatch(/Z;;Connexion \(POST \/api\/auth\/signin\);;Refusé \(401\);CREDENTIALS;1;/);
    expect(text).toMatch(/;Accès refusé \(GET \/api\/admin\/users\);;Refusé \(403\);FORBIDDEN;1;/);
  });

  test('runs nothing in a spreadsheet', async () => {
    const formula = "=HYPERLINK('http://x';'y')";
    const { id } = await buildUser(api.db, { firstName: formula, lastName: '"A";B' });
    const insert = 'insert into audit_log (actor_id, action, status, ip, target) values ($1, $2, 200, $3, $4)';
    await api.pool.query(insert, [id, '+x', '@ip', '-7']);
    const [, line] = (await exported(`actorId=${id}`)).raw.toString('utf8').split('\r\n');
    expect(line).toContain(`;"'${formula} ""A"";B";Ancienne action (+x);'-7;Fait;;1;'@ip;{}`);
  });

  test('is as long as the log, across pages, and in its order', async () => {
    const { id } = await buildUser(api.db);
    const rows = 2 * auditLimits.rowsPerExportPage + 1;
    await api.pool.query(
      `insert into audit_log (actor_id, action, status, ip, target, created_at)
       select $1, 'bulk', 200, 'x', n::text, now() - interval '1 day' - make_interval(secs => n / 100) from generate_series(1, $2::int) n`,
      [id, rows],
    );
    const lines = (await exported(`actorId=${id}`)).raw.toString('utf8').split('\r\n').slice(1, -1);
    const targets = lines.map((line) => Number(line.split(';')[3]));
    expect(targets.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, index) => index + 1));
    const dates = lines.map((line) => line.split(';')[0]);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  test('is refused where its filter is a mistake, as JSON', async () => {
    const answer = await admin.client.get('/api/admin/audit-export?outcome=ok');
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  });
});

test('beyond ten thousand rows the log is not counted', async () => {
  const insert = "insert into audit_log (action, status, ip) select 'many', 200, 'x' from generate_series(1, $1::int)";
  await api.pool.query(insert, [countedUpTo + 1]);
  const { headers } = await admin.client.get('/api/admin/audit?limit=1');
  expect(headers).toMatchObject({ 'x-total-count': String(countedUpTo), 'x-total-count-capped': 'true' });
});
