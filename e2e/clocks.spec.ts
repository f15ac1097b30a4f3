import { otpCoolDownSeconds } from '#contract/auth.ts';
import { installClock, stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator, fillSignUp } from './steps.ts';

const day = 24 * 3_600_000;

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

test('a sign-up on a phone that is 400 days ahead waits no longer once its clock is put right', async ({
  page,
  product,
}) => {
  const longest = Math.max(...otpCoolDownSeconds);
  const left = async () => {
    const words = (await page.getByRole('button', { name: /^Renvoyer le code/ }).textContent()) ?? '';
    const [, seconds = 0, unit] = /(\d+) (\S+)$/.exec(words) ?? [];
    return Number(seconds) * (unit?.startsWith('minute') ? 60 : unit?.startsWith('heure') ? 3600 : 1);
  };
  await page.clock.install({ time: Date.now() + 400 * day });
  await page.goto(product.url);
  await fillSignUp(page, { firstName: 'Inès', lastName: 'Bado', phone: '70119001' });
  await page.clock.setSystemTime(Date.now());
  await page.clock.runFor(2_000);
  expect(await left()).toBeLessThanOrEqual(longest);
  await page.reload();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  expect(await left()).toBeLessThanOrEqual(longest);
});
