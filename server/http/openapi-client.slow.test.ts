import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '#contract/auth.ts';
import { failuresOf } from '#contract/endpoint.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('a client that openapi-typescript makes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-client-'));
    const { body: document } = await api.client().get('/api/openapi.json');
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
