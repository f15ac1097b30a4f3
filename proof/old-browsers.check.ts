import { afterAll, beforeAll, expect, test } from 'vitest';
import { doMainJob, inOldChromium } from '../e2e/old-chromium.ts';
import { type Product, startProduct } from '../e2e/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

test.each([
  ['chromium-106', '70106106'],
  ['chromium-110', '70110110'],
])('%s does the main job', async (name, phone) => {
  await inOldChromium(name, import.meta.url, async (page) => {
    await doMainJob(page, product, { firstName: 'Rasmata', lastName: 'Ilboudo', phone });
    expect(page.complaints).toEqual([]);
  });
});

test.each(['chromium-90', 'chromium-80'])('%s says which browser is needed, and nothing else', async (name) => {
  await inOldChromium(name, import.meta.url, async (page) => {
    await page.open(product.url);
    expect(await page.text()).toMatch(
      /^Guichet\s+Guichet a besoin d'un navigateur récent, avec JavaScript : Chrome ou Edge 103, .* installez-en un autre\.$/,
    );
  });
});
