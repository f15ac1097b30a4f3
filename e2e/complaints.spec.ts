import { expect, test } from './fixtures.ts';

test('what any page complains of is heard, but for what a test provokes', async ({
  page,
  browser,
  product,
  complaints,
  provoke,
}) => {
  provoke('404 /api/nulle-part');
  await page.goto(product.url);
  await page.evaluate(() => {
    setTimeout(() => Promise.reject(new Error('thrown')));
    document.body.append(Object.assign(new Image(), { src: 'https://example.org/a.png' }));
  });
  const elsewhere = await browser.newPage();
  await elsewhere.goto(product.url);
  for (const path of ['/api/nulle-part', '/api/tickets/user/1']) await elsewhere.evaluate((each) => fetch(each), path);
  const heard = ['error: thrown', 'policy: img-src https://example.org', '401 /api/tickets/user/1'];
  await expect.poll(() => heard.filter((part) => complaints.join('\n').includes(part))).toEqual(heard);
  expect(complaints.join()).not.toContain('nulle-part');
  complaints.length = 0;
  await elsewhere.close();
});
