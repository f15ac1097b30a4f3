import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, takesSomething } from '#contract/endpoint.ts';
import { buildAdmin, buildCaller, buildPaymentSource } from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { asFailure, callersFault } from './failures.ts';

// Whatever a caller sends, the fault is told as theirs: nobody makes a 500.

let api: TestApi;
let admin: TestClient;
let user: TestClient;
/** Where the calls are that a secret in the address lets in. */
let behindSecrets: Record<string, string>;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
  user = (await buildCaller(api)).client;
  const [sms, wave] = [await buildPaymentSource(api.db), await buildPaymentSource(api.db, { kind: 'wave' })];
  behindSecrets = {
    receivePaymentSms: sms.path,
    receiveWaveEvent: wave.path,
  };
});
afterAll(() => api.close());

const caller = ({ access }: Endpoint) => (access === 'admin' ? admin : access === 'anyone' ? api.client() : user);
const nasty: [name: string, value: unknown][] = [
  ['a length that is no number', { length: { toString: 1 } }],
  ['a length that throws', { length: { valueOf: 1, toString: 1 } }],
  ['text without end', { length: 1, trim: 1 }],
  ['a list in a list', [[[]]]],
  ['a number beyond all', 1e308],
  ['half a character', '\ud800'],
  ['NUL', 'a\0b'],
];
function fieldsOf(schema: Endpoint['body']): string[] {
  const { shape = {}, options = [] } = schema._zod.def as { shape?: object; options?: Endpoint['body'][] };
  return [...Object.keys(shape), ...options.flatMap(fieldsOf)];
}

/** A body of one field as an endpoint takes it: JSON, a form with that as its data, or one with the field beside its file. */
function bodyOf({ upload }: Endpoint, field: string, value: unknown): object {
  const body = { [field]: value };
  if (!upload) return body;
  const form = new FormData();
  if (upload.dataField) form.set(upload.dataField, JSON.stringify(body));
  else form.set(field, typeof value === 'string' ? value : JSON.stringify(value));
  if (upload.required) form.set(upload.fileField, new Blob(['a;b']), 'x.csv');
  return form;
}

describe.each(nasty)('%s', (_, value) => {
  const taking = endpoints.filter(({ body }) => takesSomething(body));
  test.each(taking.map((each): [string, Endpoint] => [each.operation, each]))(
    'in the body of %s',
    async (_name, endpoint) => {
      const path = behindSecrets[endpoint.operation] ?? endpoint.path.replace(/:\w+/g, '1');
      for (const field of fieldsOf(endpoint.body)) {
        const answer = await caller(endpoint).send(endpoint.method, path, bodyOf(endpoint, field, value));
        expect(answer.status, `${field}: ${JSON.stringify(answer.body)}`).toBe(400);
        expect(answer.body.code).toBe('INVALID');
      }
    },
  );
});

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
