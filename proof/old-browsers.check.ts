import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doMainJob, inOldChromium, unpackChromium } from '../e2e/old-chromium.ts';
import { type Product, startProduct } from '../e2e/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

test.each([
  ['chromium-106', '70106106'],
  ['chromium-110', '70110110'],
])('%s does the main job', (name, phone) =>
  inOldChromium(name, import.meta.url, (page) =>
    doMainJob(page, product, { firstName: 'Rasmata', lastName: 'Ilboudo', phone }),
  ),
);

test.each(['chromium-90', 'chromium-80'])('%s says which browser is needed, and nothing else', async (name) => {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', product.url];
  const { stdout: drawn } = await promisify(execFile)(await unpackChromium(name, import.meta.url), flags);
  // The page's style shows the sentence unless a script has said that the browser is able.
  expect(drawn).not.toMatch(/<html[^>]*data-able/);
  expect(drawn).toMatch(
    /<p>Guichet a besoin d'un navigateur récent, avec JavaScript(?:&nbsp;|\s): Chrome ou Edge(?:&nbsp;|\s)103, .*<\/p>/,
  );
  expect(drawn).not.toContain('<form');
});
