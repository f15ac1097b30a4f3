import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { signUp } from '#contract/auth.ts';
import { type Endpoint, failuresOf, hasETag } from '#contract/endpoint.ts';
import { type FailureCode, failureCatalogue } from '#contract/failure.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { startTestApi, type TestApi, type TestResponse } from '#server/testing/test-api.ts';

/** The document as it is served. */
let document: Part;
let onHttp: TestApi;
let onHttps: TestApi;
beforeAll(async () => {
  [onHttp, onHttps] = [await startTestApi(), await startTestApi({ publicUrl: 'https://guichet.example' })];
  ({ body: document } = await onHttps.client().get('/api/openapi.json'));
});
afterAll(async () => {
  await onHttp.close();
  await onHttps.close();
});

/** A part of the document, looked into as what the test expects there. */
type Part = TestResponse['body'];
const pathOf = (each: Endpoint) => each.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (each: Endpoint): Part => document.paths[pathOf(each)][each.method.toLowerCase()];
const find = (operation: string) => endpoints.find((each) => each.operation === operation) as Endpoint;
const eachEndpoint = endpoints.map((each) => [each.operation, each] as const);

/** What a reference of the document refers to; anything else is what it is. */
function resolve(part: Part): Part {
  if (typeof part?.$ref !== 'string') return part;
  const steps = part.$ref.slice('#/'.length).split('/') as string[];
  return steps.reduce((found, step) => found[step], document);
}

/** Every object within a part of the document, with the keys that lead to it. */
function objectsIn(part: unknown, above: string[] = []): { object: Record<string, unknown>; at: string[] }[] {
  if (typeof part !== 'object' || part === null) return [];
  const within = Object.entries(part).flatMap(([key, each]) => objectsIn(each, [...above, key]));
  return [{ object: part as Record<string, unknown>, at: above }, ...within];
}

describe('the document', () => {
  test('has the endpoints, each under its operation, and nothing else', () => {
    const listed = Object.entries<Part>(document.paths).flatMap(([at, methods]) =>
      Object.entries<Part>(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${at}`),
    );
    const declared = endpoints.map((each) => `${each.operation}: ${each.method} ${pathOf(each)}`);
    expect(listed.toSorted()).toEqual(declared.toSorted());
    expect(new Set(endpoints.map(({ operation }) => operation)).size).toBe(listed.length);
  });

  test('says its version, its licence, where the server is and what its session’s cookie is called', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    const { body: local } = await onHttp.client().get('/api/openapi.json');
    for (const [each, url, name] of [
      [document, 'https://guichet.example', '__Host-guichet_session'],
      [local, '/', 'guichet_session'],
    ]) {
      expect(each.servers).toEqual([expect.objectContaining({ url })]);
      expect(each.components.securitySchemes).toEqual({
        session: expect.objectContaining({ type: 'apiKey', in: 'cookie', name }),
      });
    }
    expect(local.paths).toEqual(document.paths);
  });

  test.each(eachEndpoint)('%s: who may call it, and the session that shows it', (_, each) => {
    const { security, description, 'x-access': access, tags, summary } = operationOf(each);
    expect({ access, summary }).toEqual({ access: each.access, summary: each.summary });
    const open = each.access === 'anyone' ? [{}] : [];
    const session = each.access !== 'anyone' || each.looksAtSession ? [{ session: [] }] : [];
    expect(security).toEqual(session.length > 0 ? [...open, ...session] : []);
    expect(description).toMatch(
      { anyone: /anyone/, 'signed-in': /guests/, verified: /verified/, admin: /admin/ }[access as Endpoint['access']],
    );
    expect(document.tags.map(({ name }: Part) => name)).toEqual(expect.arrayContaining(tags));
  });

  test.each(eachEndpoint)('%s: its refusals, each status with the closed list of its codes', (_, each) => {
    const { responses } = operationOf(each);
    const listed: FailureCode[] = [];
    for (const status of Object.keys(responses).filter((status) => Number(status) >= 400)) {
      const [failure, closed] = resolve(responses[status]).content['application/json'].schema.allOf;
      expect(failure).toEqual({ $ref: '#/components/schemas/Failure' });
      expect(closed.required).toEqual(['code']);
      const codes = closed.properties.code.enum as FailureCode[];
      expect(codes.map((code) => String(failureCatalogue[code][0]))).toEqual(codes.map(() => status));
      listed.push(...codes);
    }
    expect(listed.toSorted()).toEqual(failuresOf(each).toSorted());
    const good = Object.keys(responses).filter((status) => Number(status) < 400);
    expect(good).toEqual([String(each.status ?? 200), ...(hasETag(each) ? ['304'] : [])]);
  });

  test.each(eachEndpoint)('%s: the headers that it takes and answers', (_, each) => {
    const { parameters, responses } = operationOf(each);
    const { headers = {} } = responses[each.status ?? 200];
    expect(Object.keys(headers)).toEqual([
      ...(hasETag(each) ? ['ETag'] : []),
      ...(each.counted ? ['X-Total-Count'] : []),
      ...('limit' in (each.query as z.ZodMiniObject).shape ? ['X-Total-Count-Capped'] : []),
      ...(each.setsCookie ? ['Set-Cookie'] : []),
    ]);
    for (const status of [429, 503])
      expect(resolve(resolve(responses[status]).headers['Retry-After'])).toMatchObject({
        description: expect.stringMatching(/^Seconds/),
        schema: { type: 'integer', minimum: 1 },
      });
    const sent = parameters.filter((parameter: Part) => parameter.in === 'header');
    expect(sent.map(({ name }: Part) => name)).toEqual([
      ...(each.idempotent ? ['Idempotency-Key'] : []),
      ...(hasETag(each) ? ['If-None-Match'] : []),
    ]);
    for (const header of [...Object.values(headers), ...sent])
      expect(resolve(header).description).toEqual(expect.any(String));
  });

  test('the length of a list is a whole number that is always there', () => {
    expect(document.components.headers.TotalCount).toMatchObject({
      required: true,
      schema: { type: 'integer', minimum: 0 },
    });
    expect(endpoints.some((each) => each.counted && each.setsCookie)).toBe(false);
    expect(endpoints.filter((each) => each.setsCookie).length).toBeGreaterThan(5);
    expect(endpoints.filter((each) => each.idempotent).map(({ operation }) => operation)).toEqual([
      'signUp',
      'forgotPassword',
      'verifyResetOtp',
      'createTicket',
    ]);
  });
});

describe('its shapes', () => {
  const named = 'User Service Ticket Notification PaymentType ContentPage PageBackground CommissionRange'.split(' ');
  test.each(named)('%s is a component that the calls refer to', (name) => {
    expect(Object.keys(document.components.schemas[name].properties).length).toBeGreaterThanOrEqual(3);
    const used = objectsIn(document).filter(({ object }) => object.$ref === `#/components/schemas/${name}`);
    expect(used.length).toBeGreaterThan(0);
  });

  test('no shape of more than three fields stands there twice, or outside the components', () => {
    const big = objectsIn(document).filter(
      ({ object: { type, properties } }) => type === 'object' && Object.keys(properties ?? {}).length > 3,
    );
    expect(big.length).toBeGreaterThan(15);
    expect(big.filter(({ at }) => at.slice(0, 2).join('.') !== 'components.schemas' || at.length !== 3)).toEqual([]);
    expect(new Set(big.map(({ object }) => JSON.stringify(object.properties))).size).toBe(big.length);
  });

  test('a path of services may be a JSON text too, as callers send it', () => {
    const { servicePath } = document.components.schemas.CreateTicketBody.properties;
    expect(servicePath.anyOf).toMatchObject([{ type: 'array' }, { type: 'string' }]);
  });

  test('a body is its own component, the JSON of a form included', () => {
    const json = operationOf(find('createTicket')).requestBody;
    expect(json).toMatchObject({ required: true });
    expect(json.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/CreateTicketBody' });
    for (const name of ['createService', 'updateService']) {
      const { schema, encoding } = operationOf(find(name)).requestBody.content['multipart/form-data'];
      const component = `${name.charAt(0).toUpperCase()}${name.slice(1)}Body`;
      expect(schema.properties.data).toEqual({ $ref: `#/components/schemas/${component}` });
      expect(schema.properties.image).toMatchObject({ type: 'string', format: 'binary' });
      expect(schema.required).toEqual(['data']);
      expect(encoding).toEqual({ data: { contentType: 'application/json' } });
      expect(Object.keys(document.components.schemas[component].properties)).toContain('commissionRanges');
    }
    const background = operationOf(find('uploadPageBackground')).requestBody.content['multipart/form-data'].schema;
    expect(background.required).toEqual(['background']);
  });

  test('says bounds', () => {
    const { Ticket, PageBackground, SignUpBody, CreateServiceBody, Failure } = document.components.schemas;
    expect(Ticket.properties.id).toEqual({ type: 'integer', minimum: 1, maximum: 2147483647 });
    expect(Ticket.properties.amount).toMatchObject({ type: 'integer', minimum: 0 });
    expect(PageBackground.properties.opacity).toEqual({ type: 'integer', minimum: 0, maximum: 100 });
    expect(SignUpBody.properties.password).toEqual({ type: 'string', minLength: 6, maxLength: 128 });
    expect(SignUpBody.required).not.toContain('email');
    expect(CreateServiceBody.properties.name).toEqual({ type: 'string', minLength: 1, maxLength: 120 });
    expect(CreateServiceBody.required).toEqual(['name']);
    expect(Failure.required).toEqual(['message', 'code']);
    const inQuery = Object.fromEntries(
      operationOf(find('listTickets')).parameters.map(({ name, schema }: Part) => [name, schema]),
    );
    expect(inQuery).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      before: { type: 'integer', minimum: 1, maximum: 2147483647 },
      from: { type: 'string', format: 'date-time' },
      status: { $ref: '#/components/schemas/TicketStatus' },
    });
  });

  test('every number is a whole one, but for a commission’s percentage', () => {
    const numbers = objectsIn(document).filter(({ object }) => object.type === 'number');
    expect([...new Set(numbers.map(({ at }) => at.at(-1)))]).toEqual(['commissionValue']);
    expect(objectsIn(document).filter(({ object }) => object.type === 'integer').length).toBeGreaterThan(50);
  });

  test('every instant is one', () => {
    const instants = objectsIn(document.components.schemas).filter(({ at }) => /^[a-z]+At$/.test(at.at(-1) ?? ''));
    expect(instants.length).toBeGreaterThan(8);
    const instant = { type: 'string', format: 'date-time' };
    for (const { object, at } of instants)
      expect([instant, { anyOf: [instant, { type: 'null' }] }], at.join('.')).toContainEqual(object);
  });
});

describe('Redocly’s recommended rules', () => {
  const lint = async (part: Part) => {
    const config = await createConfig({ extends: ['recommended'] });
    return lintFromString({ source: JSON.stringify(part), absoluteRef: 'openapi.json', config });
  };

  test('find only what the paths of a user’s lists cause: three pairs that their methods tell apart', async () => {
    const problems = await lint(document);
    const found = problems.map(
      ({ ruleId, severity, message }) => `${severity} ${ruleId} ${(message.match(/\/api\/[^`]+/g) ?? []).toSorted()}`,
    );
    expect(found.toSorted()).toEqual([
      'warn no-ambiguous-paths /api/notifications/user/{userId},/api/notifications/{id}/read',
      'warn no-ambiguous-paths /api/tickets/user/{userId},/api/tickets/{id}/payment-declaration',
      'warn no-ambiguous-paths /api/tickets/user/{userId},/api/tickets/{id}/status',
    ]);
  });

  test.each<[rule: string, spoil: (copy: Part) => void]>([
    ['operation-operationId-unique', ({ paths }) => (paths['/api/tickets'].post.operationId = 'listTickets')],
    ['no-unresolved-refs', ({ components }) => delete components.schemas.Ticket],
    ['path-parameters-defined', ({ paths }) => (paths['/api/tickets/{id}/status'].patch.parameters = [])],
    ['security-defined', ({ components }) => delete components.securitySchemes.session],
    ['no-server-example.com', ({ servers }) => (servers[0].url = 'http://localhost:3000')],
    ['struct', ({ info }) => delete info.title],
  ])('bite: %s is found in a broken copy', async (rule, spoil) => {
    const copy = structuredClone(document);
    spoil(copy);
    expect((await lint(copy)).map(({ ruleId }) => ruleId)).toContain(rule);
  });
});

describe('a client that openapi-typescript makes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-client-'));
    writeFileSync(path.join(folder, 'api.ts'), astToString(await openapiTS(document, { defaultNonNullable: false })));
    writeFileSync(path.join(folder, 'client.ts'), client);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** TypeScript 7 on one file of the folder: its exit code, and what it found, a line each. */
  function compile(file: string): Promise<{ code: number; found: string[] }> {
    const manifest = createRequire(import.meta.url).resolve('@typescript/native/package.json');
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--pretty', 'false', '--ignoreConfig'];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions'];
    const lib = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable'];
    return new Promise((done) => {
      const command = [path.join(path.dirname(manifest), 'bin/tsc'), ...options, ...modules, ...lib, file];
      execFile(process.execPath, command, { cwd: folder }, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0;
        done({ code, found: `${stdout}${stderr}`.split('\n').filter((line) => /\S/.test(line)) });
      });
    });
  }

  test('compiles: a request under its key, a list with its length, every refusal, a form with its data', async () => {
    expect(await compile('client.ts')).toEqual({ code: 0, found: [] });
  });

  test('does not compile where it is used wrongly', async () => {
    const wrong = {
      "export const code: CodeOf<'signUp'> = 'SLUG_TAKEN';": /"SLUG_TAKEN"' is not assignable/,
      'void createTicket({ ...order, paymentTypeName: undefined }, key);': /'undefined' is not assignable/,
      "void createTicket({ ...order, userPrice: '1000' }, key);": /'string' is not assignable to type 'number'/,
      "export const total: CountOf<'listServices'> = 1;": /'1' is not assignable to type 'never'/,
      'void createTicket(order, key).then((ticket) => ticket.price);': /'price' does not exist/,
      "void createService({ name: 'x', commissionType: 'none' });": /"none"' is not assignable/,
      "export const at: keyof paths = '/api/ticket';": /"\/api\/ticket"' is not assignable/,
    };
    const imports = [
      "import type { paths } from './api.ts';",
      "import { type CodeOf, type CountOf, createService, createTicket, key, order } from './client.ts';",
    ];
    writeFileSync(path.join(folder, 'wrong.ts'), [...imports, ...Object.keys(wrong)].join('\n'));
    const { code, found } = await compile('wrong.ts');
    expect(code).not.toBe(0);
    const complaints = Object.values(wrong).map((each, index) => `wrong\\.ts\\(${index + 3},.*${each.source}`);
    expect(found.filter((line) => line.includes('error'))).toEqual(
      complaints.map((each) => expect.stringMatching(new RegExp(each))),
    );
  });
});

/** Written by hand against the generated types, as whoever programs against the API would. */
const client = `
import type { components, operations, paths } from './api.ts';

type Calls = keyof operations;
type Answers<Call extends Calls> = operations[Call]['responses'];
type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;
type Good<Call extends Calls> = Json<Answers<Call>[keyof Answers<Call> & (200 | 201)]>;
type Refused<Call extends Calls> = Json<Answers<Call>[Exclude<keyof Answers<Call>, 200 | 201>]>;
export type CodeOf<Call extends Calls> = Refused<Call> extends { code: infer Code } ? Code : never;
export type CountOf<Call extends Calls> =
  Answers<Call> extends { 200: { headers: { 'X-Total-Count': infer Count } } } ? Count : never;

type Order = paths['/api/tickets']['post']['requestBody']['content']['application/json'];
export const order: Order = {
  serviceId: 2,
  servicePath: [{ id: 1 }, { id: 2 }],
  beneficiaryPhoneNumber: '70123456',
  paymentTypeName: 'Orange Money',
  totalPrice: '1100',
};
export const key = 'b7d3f1f0-6a0e-4f4e-9a33-0d6c1f6f8f11';

export async function createTicket(body: Order, idempotencyKey: string): Promise<components['schemas']['Ticket']> {
  const sent: operations['createTicket']['parameters']['header'] = { 'Idempotency-Key': idempotencyKey };
  const headers = { ...sent, 'content-type': 'application/json' };
  const answer = await fetch('/api/tickets' satisfies keyof paths, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.ok) return (await answer.json()) as Good<'createTicket'>;
  const refused = (await answer.json()) as Refused<'createTicket'>;
  if (refused.code === 'PRICE_CHANGED') throw new Error(\`now \${refused.expectedTotal?.toFixed(0)}\`);
  throw new Error(refused.message);
}

export async function listTickets(query: NonNullable<operations['listTickets']['parameters']['query']>) {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await fetch(\`\${'/api/admin/tickets' satisfies keyof paths}?\${text}\`);
  const total: CountOf<'listTickets'> = Number(answer.headers.get('X-Total-Count'));
  const rows = (await answer.json()) as Good<'listTickets'>;
  return { total: total satisfies number, owners: rows.map(({ user }) => user?.phone) };
}
export const firstPage = listTickets({ limit: 50, status: 'pending', from: '2026-11-21T00:00:00Z' });

export function wordsFor(code: CodeOf<'signUp'>): string {
  switch (code) {
${failuresOf(signUp)
  .map((code) => `    case '${code}':\n      return '${code.toLowerCase()}';`)
  .join('\n')}
    default:
      return code satisfies never;
  }
}

type ServiceForm = operations['createService']['requestBody']['content']['multipart/form-data'];
export async function createService(data: ServiceForm['data'], image?: Blob): Promise<Good<'createService'>> {
  const form = new FormData();
  form.append('data' satisfies keyof ServiceForm, JSON.stringify(data));
  if (image) form.append('image' satisfies keyof ServiceForm, image);
  const answer = await fetch('/api/services' satisfies keyof paths, { method: 'POST', body: form });
  return (await answer.json()) as Good<'createService'>;
}
export const made = createService({
  name: 'Eau',
  parentId: null,
  commissionType: 'range',
  commissionRanges: [{ minPrice: 1, maxPrice: null, commissionType: 'percentage', commissionValue: 1.5 }],
});
`;
