import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const here = 'http://localhost';
const read = (url: string) => api.client().get(url);

/** The addresses that a page at `url` names in its `src` and `href`, as the browser resolves them. */
function addressesIn(html: string, url: string): URL[] {
  return [...html.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address = '']) => new URL(address, here + url));
}

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

  test('names only files of this server, which serves them under the same policy', async () => {
    const { body, headers } = await read(url);
    const addresses = addressesIn(body, url);
    expect(addresses.map(({ origin }) => origin)).toEqual(addresses.map(() => here));
    const types = { js: /javascript/, css: /^text\/css/, png: /^image\/png/ };
    const endings = addresses.map(({ pathname }) => pathname.split('.').at(-1) ?? '');
    expect(new Set(endings)).toEqual(new Set(Object.keys(types)));
    for (const { pathname } of addresses) {
      const file = await read(pathname);
      expect(file.status, pathname).toBe(200);
      expect(file.headers['content-type']).toMatch(types[pathname.split('.').at(-1) as keyof typeof types]);
      expect(file.headers['content-security-policy']).toBe(headers['content-security-policy']);
      const reachesOut = /@import|url\((?!\s*["']?(?:data:|#))/.test(file.body);
      if (pathname.endsWith('.css')) expect(reachesOut, pathname).toBe(false);
    }
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

  test('reads the document of /api/openapi.json, and sends neither it nor calls anywhere', async () => {
    const script = addressesIn((await read(url)).body, url).find(({ pathname }) => /initializer/.test(pathname));
    const { body } = await read(script?.pathname ?? '');
    const [, address = ''] = /\burl: resolveUrl\('([^']+)'\)/.exec(body) ?? [];
    // As the script does it: against the page's own address, as a folder.
    const { pathname } = new URL(address, `${here}${url.replace(/\/?$/, '/')}`);
    const [shown, published] = [await read(pathname), await read('/api/openapi.json')];
    expect(shown).toMatchObject({ status: 200, body: { openapi: '3.1.0', info: { title: 'Guichet' } } });
    expect(shown.body).toEqual(published.body);
    const settings = JSON.parse(/const config = (\{.*\})/.exec(body)?.[1] ?? '{}');
    expect(settings).toMatchObject({ supportedSubmitMethods: [], validatorUrl: null });
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

test.each(['POST', 'PUT', 'DELETE'] as const)('nothing takes a %s', async (method) => {
  for (const url of ['/api/docs', '/api/docs/json', '/api/docs/static/swagger-ui.css', '/api/openapi.json'])
    expect(await api.client().send(method, url)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

test('no file beside those of the page can be had through it', async () => {
  for (const path of ['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '..\\package.json'])
    expect((await read(`/api/docs/static/${path}`)).status, path).toBe(404);
});
