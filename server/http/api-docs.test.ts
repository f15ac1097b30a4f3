import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const read = (url: string) => api.client().get(url);

/** A policy's directives and what each allows. */
function directivesOf(policy: unknown): Record<string, string[]> {
  const parts = String(policy)
    .split(';')
    .filter((part) => part.trim());
  return Object.fromEntries(parts.map((part) => part.trim().split(/\s+/)).map(([name = '', ...rest]) => [name, rest]));
}

describe.each(['/api/docs', '/api/docs/'])('the page at %s', (url) => {
  test('is a page under a policy of its own, which lets it reach this server and nobody else', async () => {
    const { status, headers } = await read(url);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    const policy = headers['content-security-policy'];
    const directives = directivesOf(policy);
    expect(directives).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    const ofNoOtherSite = ["'self'", "'none'", "'unsafe-inline'", 'data:'];
    expect(ofNoOtherSite).toEqual(expect.arrayContaining(Object.values(directives).flat()));
    expect(policy).not.toBe((await read('/api/openapi.json')).headers['content-security-policy']);
  });

  test('runs no script of its own text, which its policy would refuse', async () => {
    const { body } = await read(url);
    const scripts = [...body.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, attributes = '', text = ''] of scripts) {
      expect(attributes).toMatch(/\ssrc="/);
      expect(text.trim()).toBe('');
    }
    expect(body).not.toMatch(/\son\w+=/i);
  });
});

test('the document is JSON, is asked for anew each time, and keeps the policy of the site', async () => {
  const { status, headers } = await read('/api/openapi.json');
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  const site = (await read('/nulle-part')).headers['content-security-policy'];
  expect(headers['content-security-policy']).toBe(site);
  expect(directivesOf(site)['default-src']).toEqual(["'self'"]);
});
