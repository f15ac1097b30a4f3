import { installClock, stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator } from './steps.ts';

test('a machine that slept over midnight asks for the tickets of the new day at the next poll', async ({
  page,
  product,
}) => {
  await installClock(page);
  let from = '';
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/admin/tickets') from = searchParams.get('from') ?? from;
  });
  await enterAsAdministrator(page, product, `/admin/tickets?periode=today`);
  await stopClock(page);
  const asked = Date.parse(from);
  const morning = await page.evaluate(() => new Date().setHours(31, 30, 0, 0));
  // No timer runs while it sleeps.
  await page.clock.setSystemTime(morning);
  await page.clock.runFor(6_000);
  const expected = await page.evaluate(() => new Date().setHours(0, 0, 0, 0));
  await expect.poll(() => Date.parse(from) - expected).toBeLessThanOrEqual(6_000);
  expect(Date.parse(from)).toBeGreaterThanOrEqual(expected);
  expect(Date.parse(from)).toBeGreaterThan(asked);
});
