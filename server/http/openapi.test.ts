import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
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

  test("says its version, its licence, where the server is and what its session's cookie is called", async () => {
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

  test("every number is a whole one, but for a commission's percentage", () => {
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

describe("Redocly's recommended rules", () => {
  const lint = async (part: Part) => {
    const config = await createConfig({ extends: ['recommended'] });
    return lintFromString({ source: JSON.stringify(part), absoluteRef: 'openapi.json', config });
  };

  test("find only what the paths of a user's lists cause: five pairs, told apart by their methods or since no id is 'user'", async () => {
    const problems = await lint(document);
    const found = problems.map(
      ({ ruleId, severity, message }) => `${severity} ${ruleId} ${(message.match(/\/api\/[^`]+/g) ?? []).toSorted()}`,
    );
    expect(found.toSorted()).toEqual([
      'warn no-ambiguous-paths /api/notifications/user/{userId},/api/notifications/{id}/read',
      'warn no-ambiguous-paths /api/tickets/user/{userId},/api/tickets/{id}/code-report',
      'warn no-ambiguous-paths /api/tickets/user/{userId},/api/tickets/{id}/payment-declaration',
      'warn no-ambiguous-paths /api/tickets/user/{userId},/api/tickets/{id}/receipt',
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
