import { expect, test } from './fixtures.ts';

test('what any page complains of is heard, but for what a test provokes and what it cuts off', async ({
  page,
  browser,
  product,
  complaints,
  provoke,
}) => {
  /** Returns the complaints since the last call and clears them, so that they do not fail the test. */
  const takeComplaints = () => complaints.splice(0);
  await page.goto(product.url);
  await page.evaluate('console.error("told")');
  await expect.poll(() => takeComplaints()).toEqual(['console: told']);
  await page.evaluate(() => void setTimeout(() => Promise.reject(new Error('thrown'))));
  await expect.poll(() => takeComplaints()).toEqual(['error: thrown']);
  await page.evaluate(() => {
    const image = new Image();
    image.src = 'https://example.org/a.png';
    document.body.append(image);
  });
  await expect.poll(() => complaints.some((each) => each.includes('policy: img-src https://example.org'))).toBe(true);
  takeComplaints();

  await page.evaluate(() => fetch('/api/tickets/user/1'));
  await expect.poll(() => takeComplaints()).toEqual(['401 /api/tickets/user/1']);
  const elsewhere = await browser.newPage();
  await elsewhere.goto(`${product.url}/nulle-part`);
  provoke('404 /api/nulle-part');
  await elsewhere.evaluate(() => fetch('/api/nulle-part'));
  await page.route('**/api/services', (route) => route.abort());
  await page.evaluate(() => fetch('/api/services').catch(() => {}));
  // In sequence: the last complaint seen is the last one made.
  for (const each of [elsewhere, page]) await each.evaluate('console.error("last")');
  await expect.poll(() => complaints).toEqual(['console: last', 'console: last']);
  takeComplaints();
  await elsewhere.close();
});
