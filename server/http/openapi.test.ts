import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { type Endpoint, failuresOf, hasETag } from '#contract/endpoint.ts';
import { failureCatalogue } from '#contract/failure.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { startTestApi, type TestResponse } from '#server/testing/test-api.ts';

/** A part of the document, looked into as what the test expects there. */
type Part = TestResponse['body'];

const api = await startTestApi({ publicUrl: 'https://guichet.example' });
const { body: document } = await api.client().get('/api/openapi.json');

const pathOf = (each: Endpoint) => each.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (each: Endpoint): Part => document.paths[pathOf(each)][each.method.toLowerCase()];
const find = (operation: string) => endpoints.find((each) => each.operation === operation) as Endpoint;

function resolve(part: Part): Part {
  const steps = part.$ref.slice('#/'.length).split('/') as string[];
  return steps.reduce((found, step) => found[step], document);
}

/** Every object within a part of the document, with the last key that leads to it. */
function objectsIn(part: unknown, key = ''): { object: Record<string, unknown>; key: string }[] {
  if (typeof part !== 'object' || part === null) return [];
  const within = Object.entries(part).flatMap(([name, each]) => objectsIn(each, name));
  return [{ object: part as Record<string, unknown>, key }, ...within];
}

test('it has the endpoints, each under its operation, and says where the server is and which cookie the session has', () => {
  const listed = Object.entries<Part>(document.paths).flatMap(([at, methods]) =>
    Object.entries<Part>(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${at}`),
  );
  expect(listed.toSorted()).toEqual(
    endpoints.map((each) => `${each.operation}: ${each.method} ${pathOf(each)}`).toSorted(),
  );
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://guichet.example' }],
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-guichet_session' } } },
  });
});

test.each(endpoints.map((each) => [each.operation, each] as const))(
  '%s: who may call it, its headers, and its refusals, each status with the closed list of its codes',
  (_, each) => {
    const { security, 'x-access': access, summary, parameters, responses } = operationOf(each);
    expect({ access, summary }).toEqual({ access: each.access, summary: each.summary });
    const session = each.access !== 'anyone' || each.looksAtSession ? [{ session: [] }] : [];
    expect(security).toEqual(each.access === 'anyone' && each.looksAtSession ? [{}, ...session] : session);
    const taken = parameters.filter((parameter: Part) => parameter.in === 'header').map(({ name }: Part) => name);
    expect(taken).toEqual([
      ...(each.idempotent ? ['Idempotency-Key'] : []),
      ...(hasETag(each) ? ['If-None-Match'] : []),
    ]);
    const { [String(each.status ?? 200)]: good, 304: unchanged, ...refusals } = responses;
    expect(Object.keys(good.headers)).toEqual([
      ...(hasETag(each) ? ['ETag'] : []),
      ...(each.counted ? ['X-Total-Count'] : []),
      ...('limit' in (each.query as z.ZodMiniObject).shape ? ['X-Total-Count-Capped'] : []),
      ...(each.setsCookie ? ['Set-Cookie'] : []),
    ]);
    expect(unchanged !== undefined).toBe(hasETag(each));
    const codes = Object.entries<Part>(refusals).flatMap(([status, refusal]) => {
      const { headers, content } = resolve(refusal);
      expect(Object.keys(headers)).toEqual(/429|503/.test(status) ? ['Retry-After'] : []);
      const [failure, closed] = content['application/json'].schema.allOf;
      expect(failure).toEqual({ $ref: '#/components/schemas/Failure' });
      const listed = closed.properties.code.enum as (keyof typeof failureCatalogue)[];
      expect(listed.map((code) => String(failureCatalogue[code][0]))).toEqual(listed.map(() => status));
      return listed;
    });
    expect(codes.toSorted()).toEqual(failuresOf(each).toSorted());
  },
);

test('it says bounds: of ids, amounts, texts and lists; whole numbers, but for a percentage; instants', () => {
  const { Ticket, Failure, PageBackground } = document.components.schemas;
  expect(Ticket.properties).toMatchObject({ id: { type: 'integer', minimum: 1, maximum: 2147483647 } });
  expect(Ticket.properties.status).toEqual({ $ref: '#/components/schemas/TicketStatus' });
  expect(PageBackground.properties.opacity).toEqual({ type: 'integer', minimum: 0, maximum: 100 });
  expect(Failure.required).toEqual(['message', 'code']);
  const bodyOf = (operation: string) => operationOf(find(operation)).requestBody.content;
  const { schema: signUp } = bodyOf('signUp')['application/json'];
  expect(signUp.properties.password).toEqual({ type: 'string', minLength: 6, maxLength: 128 });
  expect(signUp.required).not.toContain('email');
  const { schema, encoding } = bodyOf('createService')['multipart/form-data'];
  expect(schema).toMatchObject({ required: ['data'], properties: { image: { type: 'string', format: 'binary' } } });
  expect(schema.properties.data).toMatchObject({ required: ['name'], properties: { name: { maxLength: 120 } } });
  expect(encoding).toEqual({ data: { contentType: 'application/json' } });
  expect(bodyOf('uploadPageBackground')['multipart/form-data'].schema.required).toEqual(['background']);
  const inQuery = operationOf(find('listTickets')).parameters.map(({ name, schema }: Part) => [name, schema]);
  expect(Object.fromEntries(inQuery)).toMatchObject({
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    from: { type: 'string', format: 'date-time' },
  });
  // Words about one field are not those of another that has the same bounds.
  expect(Ticket.properties.numberOfBeneficiaries).not.toHaveProperty('description');
  expect(document.components.schemas.PaymentAccount.properties).toMatchObject({
    messages: { description: 'Of the last seven days.' },
    unread: { description: 'Messages of these that no pattern knows.' },
  });
  const all = objectsIn(document);
  const fractions = all.filter(({ object }) => object.type === 'number').map(({ key }) => key);
  expect([...new Set(fractions)]).toEqual(['commissionValue']);
  for (const { object, key } of objectsIn(document.components.schemas).filter((each) => /^[a-z]+At$/.test(each.key)))
    expect(JSON.stringify(object), key).toContain('"format":"date-time"');
});

test("Redocly's recommended rules find only what the paths of a user's lists cause, and bite", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const lint = (part: Part) => lintFromString({ source: JSON.stringify(part), absoluteRef: 'openapi.json', config });
  const problems = await lint(document);
  const others = problems.filter(
    ({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !/\/(?:tickets|notifications)\/user\//.test(message),
  );
  expect(others.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const { Ticket: _, ...schemas } = document.components.schemas;
  const incomplete = { ...document, components: { ...document.components, schemas } };
  expect((await lint(incomplete)).map(({ ruleId }) => ruleId)).toContain('no-unresolved-refs');
});
