import type { OutgoingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Endpoint, failuresOf } from '#contract/endpoint.ts';
import { openApiDocument } from '#server/http/openapi.ts';
import { endpoints } from './endpoints.ts';

/** An answer as a client gets it, its body read. */
export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: unknown;
  /** Whether it set or cleared a cookie, other than by renewing the session it was asked under. */
  changedCookies: boolean;
}

/** As much of the document as finding the parts of an answer takes. */
interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedAnswer> }>>;
  components: { responses: Record<string, DocumentedAnswer>; headers: Record<string, { required?: boolean }> };
}
interface DocumentedAnswer {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
}

const document = openApiDocument(endpoints, { server: '/', sessionCookie: 'guichet_session' }) as ApiDocument;
// Whether the document is well-formed is asked once, in `server/http/openapi.test.ts`, and not by every worker.
const ajv = new Ajv2020({ strict: true, validateSchema: false });
formats.default(ajv);
ajv.addVocabulary(Object.keys(document)).addSchema(document, 'api');

/**
 * Holds the answer to an endpoint's call against the OpenAPI document: its status and code, its body, the headers that
 * belong to it. Throws a sentence that names the call, the status and the code.
 */
export function checkAnswer(endpoint: Endpoint, { status, headers, body, changedCookies }: Answer): void {
  const { code, retryAfter } = (status >= 400 && body ? body : {}) as { code?: string; retryAfter?: number };
  const refuse = (why: string): never => {
    const answered = code === undefined ? String(status) : `${status} ${code}`;
    throw new Error(`${endpoint.method} ${endpoint.path} (${endpoint.operation}) answered ${answered}: ${why}`);
  };

  const codes: string[] = failuresOf(endpoint);
  if (code !== undefined && !codes.includes(code)) refuse(`not one of the failures it declares, ${codes.join(', ')}`);
  const documented = findAnswer(endpoint, status) ?? refuse('the OpenAPI document knows no such answer');
  if (status === 304) {
    if (body) refuse('it has a body');
    return;
  }
  const type = (status < 400 && endpoint.download?.type) || 'application/json';
  if (!String(headers['content-type']).startsWith(type)) refuse(`it is not ${type}`);
  const problem =
    type === 'application/json' && findProblem(`${documented.pointer}/content/application~1json/schema`, body);
  if (problem) refuse(`its body is not as documented, ${problem}`);
  // Some are sent as the handler made them: what a schema would leave out must not be there.
  const kept = type === 'application/json' && status < 400 && endpoint.response.safeParse(body);
  if (kept && !isDeepStrictEqual(kept.data, body)) refuse('its body has more than the endpoint declares');

  for (const [name, { $ref }] of Object.entries(documented.headers)) {
    const value = headers[name.toLowerCase()];
    if (value === undefined && document.components.headers[nameIn($ref)]?.required) refuse(`${name} is missing`);
    const read = name === 'X-Total-Count' || name === 'Retry-After' ? Number(value) : value;
    const wrong = value !== undefined && name !== 'Set-Cookie' && findProblem(`${$ref}/schema`, read);
    if (wrong) refuse(`${name} is not as documented, ${wrong}`);
  }
  for (const name of ['X-Total-Count', 'X-Total-Count-Capped', 'Retry-After'])
    if (headers[name.toLowerCase()] !== undefined && !documented.headers[name]) refuse(`${name} is not documented`);
  if ((status === 429 || status === 503) && retryAfter !== undefined && headers['retry-after'] !== String(retryAfter))
    refuse(`its body says to wait ${retryAfter} s, and Retry-After ${headers['retry-after']}`);
  if (changedCookies && !endpoint.setsCookie) refuse('it changes a cookie without saying so');
}

/** Where an answer of this status stands in the document, and its headers. */
function findAnswer({ method, path, operation }: Endpoint, status: number) {
  const pathItem = path.replace(/:(\w+)/g, '{$1}');
  const call = document.paths[pathItem]?.[method.toLowerCase()];
  if (!call) throw new Error(`the OpenAPI document does not know the call ${operation}`);
  const answer = call.responses[status];
  // The path as a step of a JSON pointer (RFC 6901) in a URL.
  const step = encodeURI(pathItem.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = answer?.$ref ?? `#/paths/${step}/${method.toLowerCase()}/responses/${status}`;
  const component = answer?.$ref ? document.components.responses[nameIn(answer.$ref)] : answer;
  return component && { pointer, headers: component.headers ?? {} };
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

/** What is wrong with a value by the schema that stands there in the document. Each is compiled once. */
function findProblem(pointer: string, value: unknown): string | undefined {
  const validate = ajv.getSchema(`api${pointer}`);
  if (!validate) throw new Error(`the OpenAPI document has no schema at ${pointer}`);
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
}
