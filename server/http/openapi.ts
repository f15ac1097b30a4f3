import { isDeepStrictEqual } from 'node:util';
import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import {
  type Access,
  type Endpoint,
  failuresOf,
  hasETag,
  idempotencyKeyForm,
  idempotencyKeyLength,
  takesSomething,
} from '#contract/endpoint.ts';
import { type FailureCode, failureBody, failureCatalogue } from '#contract/failure.ts';
import { documentation } from '#contract/shapes.ts';

type JsonSchema = Record<string, unknown>;

/** Where a shape is from the API's side: what it takes, or what it answers. A default makes the two differ. */
type Direction = 'input' | 'output';

type SchemaCollector = ReturnType<typeof collectSchemas>;

function collectSchemas() {
  /** The shapes with a name, for the document's components. */
  const components: Record<string, JsonSchema> = {};

  function add(name: string, definition: JsonSchema): void {
    const shape = withComponentReferences(definition);
    delete shape.id;
    const known = components[name];
    if (known && !isDeepStrictEqual(known, shape)) throw new Error(`${name} is the name of two shapes`);
    components[name] = shape;
  }

  /** A contract's schema as JSON Schema, draft 2020-12 as OpenAPI 3.1 has it. Throws where one name would mean two shapes. */
  function convert(schema: z.ZodMiniType, direction: Direction): JsonSchema {
    // Inside an array, so that a schema which is a component itself is referred to like any other.
    const { items, $defs } = z.toJSONSchema(z.array(schema), {
      io: direction,
      metadata: documentation,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as JsonSchema, zodSchema, direction),
    }) as { items: JsonSchema; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs ?? {})) add(name, definition);
    return withComponentReferences(items);
  }

  return {
    components,
    convert,
    /** The same under a name of its own, unless it has one; answers the reference. */
    convertAs(name: string, schema: z.ZodMiniType, direction: Direction): JsonSchema {
      const converted = convert(schema, direction);
      if ('$ref' in converted) return converted;
      add(name, converted);
      return { $ref: `#/components/schemas/${name}` };
    },
  };
}

/** Leaves out what zod says of JavaScript rather than of the API, and puts in what a transformation hides. */
function tidy(json: JsonSchema, schema: z.core.$ZodType, direction: Direction): void {
  const { input } = documentation.get(schema as z.ZodMiniType) ?? {};
  delete json.input;
  if (input && direction === 'input') {
    for (const key of ['type', 'anyOf', 'pattern']) delete json[key];
    Object.assign(json, input);
  }
  // An answer may grow a field without breaking who reads it.
  delete json.additionalProperties;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format === 'date-time' || json.format === 'email') delete json.pattern;
}

function withComponentReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

const accessWords: Record<Access, string> = {
  anyone: 'Open to anyone.',
  'signed-in': 'For whoever has a session, guests included.',
  verified: 'For persons whose number is verified.',
  admin: 'For administrators.',
};

const tags: Record<string, string> = {
  auth: 'Signing up, in and out, codes by SMS, and passwords.',
  users: 'The accounts, for administrators.',
  services: 'The catalogue, up to five levels deep, and its commissions.',
  tickets: 'Orders of a service, and the decisions on them.',
  notifications: 'What a person is told about their tickets.',
  beneficiaries: 'The names that a person gave to numbers.',
  push: 'Which browsers are told of decisions.',
  'payment-types': 'The means people say they pay with.',
  'content-pages': 'Texts such as the terms of use.',
  'page-background': 'The picture behind every page.',
  dashboard: 'The figures of the day.',
  settings: 'What administrators set for themselves.',
  sms: 'Messages by SMS: their gateways, caps and what became of them.',
  backups: 'Copies of everything, for the day that something is lost.',
  payments: 'Payments that came in, their sources, and the tickets that they may pay.',
  audit: 'Who did what, and which calls were refused.',
  system: 'Health and starter data.',
};

/** Which tag a call is under, where the word after /api (and /admin) is not the tag itself. */
const tagAliases: Record<string, string> = {
  commission: 'services',
  catalogue: 'services',
  'background-settings': 'page-background',
  'upload-background': 'page-background',
  'ticket-export': 'tickets',
  'pending-tickets': 'tickets',
  'ticket-decisions': 'tickets',
  'decision-time': 'tickets',
  receipts: 'tickets',
  'service-order': 'services',
  'catalogue-export': 'services',
  'catalogue-import': 'services',
  'upload-payment-picture': 'payment-types',
  'payment-feed': 'payments',
  'reject-reasons': 'settings',
  contact: 'settings',
  'audit-export': 'audit',
  health: 'system',
  'init-data': 'system',
};

const headers = {
  TotalCount: {
    description: 'How many rows there are in all, whatever `limit` and `before` leave of them.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  TotalCountCapped: {
    description: 'There are more rows than `X-Total-Count` says: beyond 10,000 they are not counted.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the call may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: {
    description: 'Names this answer, for `If-None-Match`; of your own lists and of what is common to all.',
    schema: { type: 'string', pattern: '^W/"[\\w-]{16}(-\\d+\\+?)?"$' },
  },
  SetCookie: {
    description: 'Opens, renews or ends the session, or ties a code by SMS to this browser. HttpOnly, SameSite=Lax.',
    schema: { type: 'string' },
  },
};

interface ApiAddress {
  /** Where the calls are reached. */
  server: string;
  /** The name of the session's cookie there. */
  sessionCookie: string;
}

/** The OpenAPI 3.1 document of these endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[], { server, sessionCookie }: ApiAddress): object {
  const schemas = collectSchemas();
  schemas.convert(failureBody, 'output');
  const responses: Record<string, JsonSchema> = {
    NotModified: {
      description: 'Nothing has changed since the answer of that ETag.',
      headers: { ETag: { $ref: '#/components/headers/ETag' } },
    },
  };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas, responses) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guichet',
      version: '1.0.0',
      description: [
        'Catalogue, tickets and administration of Guichet. Amounts are whole CFA francs, phone numbers E.164, instants ISO 8601',
        'in UTC. A refused call answers a `Failure`, whose `message` is a French sentence for the person and whose `code` is',
        'for the program. Writes that a browser sends from another site are refused.',
      ].join(' '),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server, description: 'This server' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components,
      responses,
      headers,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'Set by signing in, by verifying a number and by entering as a guest. Any call may renew it.',
        },
      },
    },
  };
}

function operationOf(endpoint: Endpoint, schemas: SchemaCollector, responses: Record<string, JsonSchema>): JsonSchema {
  const body = requestBodyOf(endpoint, schemas);
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: accessWords[endpoint.access],
    tags: [tagOf(endpoint.path)],
    'x-access': endpoint.access,
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint, schemas),
    ...(body && { requestBody: body }),
    responses: {
      [String(endpoint.status ?? 200)]: goodAnswerOf(endpoint, schemas),
      ...(hasETag(endpoint) && { '304': { $ref: '#/components/responses/NotModified' } }),
      ...refusalsOf(endpoint, responses),
    },
  };
}

/** Whether it is a list that is read page by page. */
function isReadInParts({ query }: Endpoint): boolean {
  return 'shape' in query && 'limit' in (query.shape as object);
}

/** No session, a session, or either: every caller meets an empty requirement. */
function securityOf({ access, looksAtSession }: Endpoint): JsonSchema[] {
  if (access !== 'anyone') return [{ session: [] }];
  return looksAtSession ? [{}, { session: [] }] : [];
}

function tagOf(path: string): string {
  const [, , first = '', second = ''] = path.split('/');
  const word = first === 'admin' ? second : first;
  return tagAliases[word] ?? word;
}

function parametersOf(endpoint: Endpoint, schemas: SchemaCollector): JsonSchema[] {
  const part = (place: 'path' | 'query', schema: z.ZodMiniType): JsonSchema[] => {
    const { properties = {}, required = [] } = schemas.convert(schema, 'input') as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: property,
    }));
  };
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: "Made once for each wish: the same key and body answer the first call's result, another body 422.",
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLength, pattern: idempotencyKeyForm.source },
  };
  const ifNoneMatch = {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of an answer that you have: 304 without a body says that it still holds.',
    schema: { type: 'string' },
  };
  return [
    ...part('path', endpoint.params),
    ...part('query', endpoint.query),
    ...(endpoint.idempotent ? [idempotencyKey] : []),
    ...(hasETag(endpoint) ? [ifNoneMatch] : []),
  ];
}

const fileWords = { image: 'JPEG, PNG or WebP, 5 MB at most.', statement: 'CSV, XLSX or XLS, 32 MB at most.' };

function requestBodyOf(endpoint: Endpoint, schemas: SchemaCollector): JsonSchema | undefined {
  const { upload } = endpoint;
  const takesData = takesSomething(endpoint.body);
  if (!upload && !takesData) return undefined;
  const name = `${endpoint.operation.charAt(0).toUpperCase()}${endpoint.operation.slice(1)}Body`;
  const data = takesData ? schemas.convertAs(name, endpoint.body, 'input') : undefined;
  if (!upload) {
    const required = !endpoint.body.safeParse(undefined).success;
    return { required, content: { 'application/json': { schema: data } } };
  }
  const { fileField, dataField } = upload;
  const form = {
    type: 'object',
    properties: {
      [fileField]: { type: 'string', format: 'binary', description: fileWords[upload.kind ?? 'image'] },
      ...(dataField && { [dataField]: data }),
    },
    required: [...(upload.required ? [fileField] : []), ...(dataField ? [dataField] : [])],
  };
  // Fields beside the file.
  const schema = data && !dataField ? { allOf: [form, data] } : form;
  const encoding = dataField && { encoding: { [dataField]: { contentType: 'application/json' } } };
  return { required: true, content: { 'multipart/form-data': { schema, ...encoding } } };
}

function goodAnswerOf(endpoint: Endpoint, schemas: SchemaCollector): JsonSchema {
  const sent = {
    ...(hasETag(endpoint) && { ETag: { $ref: '#/components/headers/ETag' } }),
    ...(endpoint.counted && { 'X-Total-Count': { $ref: '#/components/headers/TotalCount' } }),
    ...(isReadInParts(endpoint) && { 'X-Total-Count-Capped': { $ref: '#/components/headers/TotalCountCapped' } }),
    ...(endpoint.setsCookie && { 'Set-Cookie': { $ref: '#/components/headers/SetCookie' } }),
  };
  return {
    description: endpoint.summary,
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    content: endpoint.download
      ? { [endpoint.download.type]: { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: schemas.convert(endpoint.response, 'output') } },
  };
}

/** A refusal per status, with the closed list of its codes; each list stands once in the document. */
function refusalsOf(endpoint: Endpoint, responses: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const byStatus = new Map<number, FailureCode[]>();
  for (const code of failuresOf(endpoint)) {
    const [status] = failureCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = codes.map(pascalCase).join('Or');
      responses[name] ??= refusalOf(status, codes);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function refusalOf(status: number, codes: FailureCode[]): JsonSchema {
  const closedList = { type: 'object', properties: { code: { type: 'string', enum: codes } }, required: ['code'] };
  return {
    description: codes.map((code) => `\`${code}\` ${failureCatalogue[code][1]}`).join('\n\n'),
    ...((status === 429 || status === 503) && {
      headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    }),
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, closedList] } } },
  };
}

/** 'PHONE_TAKEN' as 'PhoneTaken'. */
function pascalCase(code: FailureCode): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The page of `/api/docs` loads this server's files alone. Its scripts set styles, its style sheet holds pictures. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page sends nothing, so it needs no address bar and sign-in; on a phone wide tables scroll inside their call. */
const readingStyle = `
.swagger-ui .topbar, .swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none }
.swagger-ui .opblock-body { overflow-x: auto }
`;

/** The endpoints that are registered from now on, for the document; the routes of plugins are none. */
export function collectEndpoints(app: FastifyInstance): Endpoint[] {
  const endpoints: Endpoint[] = [];
  app.addHook('onRoute', ({ config, method }) => {
    if (config?.endpoint && method !== 'HEAD') endpoints.push(config.endpoint);
  });
  return endpoints;
}

/** Serves the OpenAPI document of these endpoints, and a page at `/api/docs` that reads it and sends no calls. */
export async function serveApiDocs(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  address: ApiAddress,
): Promise<void> {
  const document = openApiDocument(endpoints, address);
  app.get('/api/openapi.json', async () => document);
  await app.register(swagger, { mode: 'static', specification: { document } as StaticDocumentSpec });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: docsPolicy,
    theme: { title: 'Guichet · API', css: [{ filename: 'reading.css', content: readingStyle }] },
    uiConfig: { supportedSubmitMethods: [], validatorUrl: null, deepLinking: true, docExpansion: 'list' },
  });
}
