import type { Page } from '@playwright/test';
import { installClock, runUntilAnswer, setHidden, stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { fillSignUp } from './steps.ts';

const path = /^\/api\/auth\/code-delivery$/;
const person = (phone: string) => ({ firstName: 'Awa', lastName: 'Remise', phone });
const everyMs = 3_000;

/** Has the gateway tell what it does not tell in a test. */
const tell = (page: Page, state: string) =>
  page.route('**/api/auth/code-delivery?*', (route) => route.fulfill({ json: { state } }));

function countAsked(page: Page): () => number {
  let asked = 0;
  page.on('request', (request) => {
    if (path.test(new URL(request.url()).pathname)) asked += 1;
  });
  return () => asked;
}

test('the screen of a code says when its SMS was sent', async ({ page, product }) => {
  await page.goto(product.url);
  await fillSignUp(page, person('77030001'));
  await expect(page.getByText('SMS envoyé', { exact: true })).toBeVisible();
});

for (const [state, phone, sentence] of [
  ['delivered', '77030002', 'SMS remis à votre téléphone'],
  ['failed', '77030003', 'L’envoi a échoué. Vérifiez le numéro ou demandez un nouveau code.'],
  ['undelivered', '77030004', 'L’envoi a échoué. Vérifiez le numéro ou demandez un nouveau code.'],
] as const)
  test(`${state}: it says so where nothing moves, and asks no more`, async ({ page, product }) => {
    await installClock(page);
    const asked = countAsked(page);
    await page.goto(product.url);
    await fillSignUp(page, person(phone));
    await stopClock(page);
    await tell(page, state);
    const button = page.getByRole('button', { name: 'Vérifier' });
    const before = await button.boundingBox();
    await runUntilAnswer(page, path, everyMs);
    await expect(page.getByText(sentence)).toBeVisible();
    expect(await button.boundingBox()).toEqual(before);
    const count = asked();
    await page.clock.runFor(60_000);
    expect(asked()).toBe(count);
  });

test('it asks for a minute at most, not while the tab is hidden, and anew for a new code', async ({
  page,
  product,
}) => {
  await installClock(page);
  const asked = countAsked(page);
  await page.goto(product.url);
  await tell(page, 'sent');
  await fillSignUp(page, person('77030009'));
  await stopClock(page);
  await setHidden(page, true);
  const hidden = asked();
  await page.clock.runFor(30_000);
  expect(asked()).toBe(hidden);
  await setHidden(page, false);
  for (let round = asked(); round < 20; round += 1) await runUntilAnswer(page, path, everyMs);
  await page.clock.runFor(30_000);
  expect(asked()).toBe(20);
  await page.route('**/api/auth/resend-otp', (route) =>
    route.fulfill({ json: { message: 'Code renvoyé', retryAfter: 120 } }),
  );
  await page.getByRole('button', { name: 'Renvoyer le code' }).click();
  await expect(page.getByText('Un nouveau code vous a été envoyé par SMS.')).toBeVisible();
  await runUntilAnswer(page, path, everyMs);
  expect(asked()).toBe(21);
});
