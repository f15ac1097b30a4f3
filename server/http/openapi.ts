import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type * as z from 'zod/mini';
import {
  type Access,
  type Endpoint,
  failuresOf,
  hasETag,
  idempotencyKeyForm,
  takesSomething,
} from '#contract/endpoint.ts';
import { type FailureCode, failureBody, failureCatalogue } from '#contract/failure.ts';
import { documentation } from '#contract/shapes.ts';

type Json = Record<string, unknown>;

/**
 * Converts zod to JSON Schema. A shape that is both taken and answered becomes two components, such as `TicketStatusInput` and
 * `TicketStatus`.
 */
const conversion: Parameters<typeof createJsonSchemaTransform>[0] = {
  schemaRegistry: documentation as z.core.$ZodRegistry<never>,
  zodToJsonConfig: {
    override({ zodSchema, jsonSchema: json }) {
      // The input's documentation, which a transformation hides.
      const { input } = documentation.get(zodSchema as z.core.$ZodType) ?? {};
      if (input) for (const key of ['input', 'type', 'anyOf', 'pattern'] as const) delete (json as Json)[key];
      Object.assign(json, input);
      // Answers may gain fields without breaking clients.
      delete json.additionalProperties;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.format === 'date-time' || json.format === 'email') delete json.pattern;
    },
  },
};
const transform = createJsonSchemaTransform(conversion);
const transformObject = createJsonSchemaTransformObject(conversion);

const accessWords: Record<Access, string> = {
  anyone: 'Open to anyone.',
  'signed-in': 'For whoever has a session, guests included.',
  verified: 'For persons whose number is verified.',
  admin: 'For administrators.',
};

const text = { type: 'string' };
const headers = {
  ETag: { description: 'Names this answer, for `If-None-Match`.', schema: text },
  'X-Total-Count': {
    description: 'How many rows there are in all.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Total-Count-Capped': { description: 'There are more than 10,000 rows, which are not counted.', schema: text },
  'Set-Cookie': { description: 'Opens, renews or ends the session, or a flow by SMS.', schema: text },
  'Retry-After': {
    description: 'Seconds to wait before the call may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
};
const headersOf = (names: (keyof typeof headers | false | undefined)[]) =>
  Object.fromEntries(names.flatMap((name) => (name ? [[name, { $ref: `#/components/headers/${name}` }]] : [])));

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: "Made once for each wish: the same key and body answer the first call's result, another body 422.",
  schema: { type: 'string', pattern: idempotencyKeyForm.source },
};
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier answer.',
  schema: text,
};

/** The OpenAPI 3.1 document of these endpoints. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { server, sessionCookie }: { server: string; sessionCookie: string },
): object {
  const openapiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Guichet',
      version: '1.0.0',
      description:
        'Amounts are whole CFA francs, phone numbers E.164, instants ISO 8601 in UTC. A refused call answers a `Failure`: its `message` is a French sentence for the person, its `code` is for the program.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server, description: 'This server' }],
    paths: {} as Record<string, Json>,
    components: {
      headers,
      responses: {} as Record<string, Json>,
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
    },
  };
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(endpoint, openapiObject.components.responses);
    openapiObject.paths[path] = { ...openapiObject.paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  const { components, ...document } = transformObject({ openapiObject } as never) as unknown as typeof openapiObject & {
    components: { schemas: Record<string, Json> };
  };
  const schemas = onlyUsed(components.schemas, JSON.stringify([document, components.responses]));
  return { ...document, components: { ...components, schemas } };
}

/** The schemas that a text refers to, directly or through others. */
function onlyUsed(schemas: Record<string, Json>, text: string, used: Record<string, Json> = {}): Record<string, Json> {
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (used[name]) continue;
    used[name] = schemas[name] as Json;
    onlyUsed(schemas, JSON.stringify(used[name]), used);
  }
  return used;
}

function operationOf(endpoint: Endpoint, responses: Record<string, Json>): Json {
  const { access, download, looksAtSession, upload, path, query } = endpoint;
  const status = String(endpoint.status ?? 200);
  const given = { querystring: query, params: endpoint.params, body: endpoint.body };
  const schema = { ...given, response: { [status]: endpoint.response, '4xx': failureBody } };
  const converted = transform({ schema, url: path, openapiObject: { openapi: '3.1.0' } } as never).schema as {
    [part in 'params' | 'querystring' | 'body']: { properties?: Record<string, Json>; required?: string[] };
  } & { response: Record<string, Json> };
  const parametersIn = (place: 'path' | 'query', { properties = {}, required = [] }: typeof converted.params) =>
    Object.entries(properties).map(([name, each]) => ({
      name,
      in: place,
      required: required.includes(name),
      schema: each,
    }));
  const content = download
    ? { [download.type]: { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: converted.response[status] } };
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: accessWords[access],
    tags: [path.split('/').find((word) => !['', 'api', 'admin'].includes(word))],
    'x-access': access,
    // An empty requirement allows every caller.
    security: access === 'anyone' ? (looksAtSession ? [{}, { session: [] }] : []) : [{ session: [] }],
    parameters: [
      ...parametersIn('path', converted.params),
      ...parametersIn('query', converted.querystring),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
      ...(hasETag(endpoint) ? [ifNoneMatch] : []),
    ],
    ...((upload || takesSomething(endpoint.body)) && { requestBody: requestBodyOf(endpoint, converted.body) }),
    responses: {
      [status]: {
        description: endpoint.summary,
        headers: headersOf([
          hasETag(endpoint) && 'ETag',
          endpoint.counted && 'X-Total-Count',
          'limit' in (query as z.ZodMiniObject).shape && 'X-Total-Count-Capped',
          endpoint.setsCookie && 'Set-Cookie',
        ]),
        content,
      },
      ...(hasETag(endpoint) && {
        '304': { description: 'Nothing has changed.', headers: headersOf(['ETag']) },
      }),
      ...refusalsOf(endpoint, responses),
    },
  };
}

function requestBodyOf({ body, upload }: Endpoint, data: Json): Json {
  if (!upload) {
    const required = !body.safeParse(undefined).success;
    return { required, content: { 'application/json': { schema: data } } };
  }
  const { fileField, dataField } = upload;
  const file = { [fileField]: { type: 'string', format: 'binary' } };
  const fields = (dataField ? { [dataField]: data } : data.properties) as Json | undefined;
  const required = [
    ...(upload.required ? [fileField] : []),
    ...(dataField ? [dataField] : ((data.required as string[]) ?? [])),
  ];
  const encoding = dataField && { encoding: { [dataField]: { contentType: 'application/json' } } };
  const schema = { type: 'object', properties: { ...file, ...fields }, required };
  return { required: true, content: { 'multipart/form-data': { schema, ...encoding } } };
}

/** One response per status with the list of its codes. Each list occurs once in the document. */
function refusalsOf(endpoint: Endpoint, responses: Record<string, Json>): Json {
  const byStatus = Object.groupBy(failuresOf(endpoint), (code) => failureCatalogue[code][0]);
  const refusals = Object.entries(byStatus).map(([status, codes = []]) => {
    const name = codes.join('-or-');
    const code = { type: 'object', properties: { code: { type: 'string', enum: codes } }, required: ['code'] };
    responses[name] ??= {
      description: codes.map((each: FailureCode) => `\`${each}\` ${failureCatalogue[each][1]}`).join('\n\n'),
      headers: headersOf([/429|503/.test(status) && 'Retry-After']),
      content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, code] } } },
    };
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(refusals);
}

/** Collects the endpoints registered from now on, for the document. Routes of plugins are no endpoints. */
export function collectEndpoints(app: FastifyInstance): Endpoint[] {
  const endpoints: Endpoint[] = [];
  app.addHook('onRoute', ({ config, method }) => {
    if (config?.endpoint && method !== 'HEAD') endpoints.push(config.endpoint);
  });
  return endpoints;
}
