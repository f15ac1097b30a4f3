import { expect, test } from 'vitest';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { asFailure, callersFault } from './failures.ts';

// Whatever a caller sends, the fault is told as theirs: nobody makes a 500.

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

test.each([
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59Z',
  '-000001-01-01T00:00:00Z',
  '2026-13-45T99:99:99Z',
  'NaN',
])('an instant such as %s is answered, or refused, and breaks nothing', async (instant) => {
  for (const path of ['/api/admin/tickets', '/api/admin/ticket-export?timeZone=Africa/Lome', '/api/admin/payments'])
    for (const name of ['from', 'to']) {
      const answer = await admin.get(`${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(instant)}`);
      expect([200, 400, 404], `${path} ${name}: ${answer.status}`).toContain(answer.status);
    }
});

test("PostgreSQL's complaints about data are the caller's fault, and no others", () => {
  const refuse = (code: string) => asFailure(Object.assign(new Error('x'), { code }) as never);
  for (const state of Object.keys(callersFault)) expect(refuse(state)).toMatchObject({ code: 'INVALID', status: 400 });
  for (const state of ['42601', '42P01', '23505', '22012', 'XX000']) expect(refuse(state).status).toBe(500);
  for (const state of ['08006', '53300', '57014', '40001', '55P03', '25P03']) expect(refuse(state).status).toBe(503);
});

test('each of them is met by a real statement', async () => {
  const statements: Record<string, string> = {
    '22003': 'select 2147483648::int',
    '22007': "select 'x'::timestamptz",
    '22008': "select '0000-01-01T00:00:00Z'::timestamptz",
    '22021': "select convert_from('\\xff', 'UTF8')",
    '22023': "select now() at time zone 'nulle/part'",
    '2201B': "select 'a' ~ '('",
    '2201W': 'select 1 limit -1',
    '22P02': "select 'x'::int",
    '22P05': "select '\"\\u0000\"'::jsonb #>> '{}'",
    '22001': "create temp table short (t varchar(1)); insert into short values ('ab')",
    '22P03': '',
  };
  expect(Object.keys(statements).toSorted()).toEqual(Object.keys(callersFault).toSorted());
  for (const [state, statement] of Object.entries(statements))
    if (statement) await expect(api.pool.query(statement), statement).rejects.toMatchObject({ code: state });
});
