import { expect, test } from './fixtures.ts';

test('the page of the API shows its calls, and nothing of another site', async ({ page, product }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== product.url) foreign.push(request.url());
  });
  await page.goto(`${product.url}/api/docs`);
  await expect(page.getByRole('heading', { name: 'Guichet' })).toBeVisible();
  const call = page.locator('#operations-tickets-createTicket');
  await call.getByRole('button').first().click();
  await expect(call.getByText('For persons whose number is verified.')).toBeVisible();
  await expect(call.getByText('PRICE_CHANGED').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Try it out|Authorize|Explore/ })).toHaveCount(0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, 'scrolls sideways').toBeLessThanOrEqual(0);
  expect(foreign).toEqual([]);
});
